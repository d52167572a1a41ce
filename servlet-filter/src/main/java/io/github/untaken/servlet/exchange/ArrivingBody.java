package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange.Arrival;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects a small body as it arrives; no thread waits for it. Ends once: when it is complete, fails, or takes too long. */
final class ArrivingBody implements ReadListener, Arrival {
    private final ServletExchange exchange;
    private final ServletInputStream in;
    private final Supplier<CheckBody> otherwise;
    private final BodyBytes bytes;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Consumer<CheckBody> then = body -> {};

    /**
     * Reads nothing yet.
     *
     * @param in of the call
     * @param otherwise what to read if there is nothing: somebody else may have taken the body
     */
    ArrivingBody(ServletExchange exchange, ServletInputStream in, Supplier<CheckBody> otherwise) {
        this.exchange = exchange;
        this.in = in;
        this.otherwise = otherwise;
        this.bytes = new BodyBytes(exchange.servletRequest());
    }

    /** The whole body if it is here, as nearly always. Otherwise null, and what is here has been read. Does not wait. */
    @Nullable CheckBody ifThere() {
        try {
            boolean kept = exchange.bodyIsKept(in);
            while (kept && bytes.read(in)) {
                // There is more.
            }
            bytes.readArrived(in);
            return kept || bytes.isWhole() ? body() : null;
        } catch (IOException e) {
            return CheckBody.UNREADABLE;
        } catch (RuntimeException e) {
            return otherwise.get();
        }
    }

    /**
     * Waits for the rest. If the container, or a wrapper of its request, cannot do that, what others have read of it must do.
     *
     * @param then is told of the end
     */
    void begin(Consumer<CheckBody> then) {
        this.then = then;
        try {
            in.setReadListener(this);
        } catch (RuntimeException e) {
            end(otherwise);
        }
    }

    @Override
    public boolean isOver() {
        return ended.get();
    }

    /**
     * Asks for no more once all is here: Payara takes that as a wish to hear of the connection's next request, which then never reaches the
     * application.
     */
    @Override
    public void onDataAvailable() {
        try {
            while (!ended.get() && !bytes.isWhole() && in.isReady() && bytes.read(in)) {
                // There is more.
            }
            if (bytes.isTooLarge()) {
                end(() -> CheckBody.TOO_LARGE);
            } else if (bytes.isWhole()) {
                end(this::body);
            }
        } catch (IOException | RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onAllDataRead() {
        end(this::body);
    }

    private CheckBody body() {
        if (!bytes.isTooLarge()) {
            exchange.bodyRead();
        }
        return bytes.isEmpty() ? otherwise.get() : bytes.body();
    }

    /** The client went away, or sent a broken chunk: not our fault, and not logged. */
    @Override
    public void onError(Throwable failure) {
        end(() -> CheckBody.UNREADABLE);
    }

    @Override
    public void giveUp() {
        end(() -> CheckBody.TOO_SLOW);
    }

    /** Made once: reading past the end makes the container tell of the end again. */
    private void end(Supplier<CheckBody> body) {
        if (ended.compareAndSet(false, true)) {
            then.accept(body.get());
        }
    }
}

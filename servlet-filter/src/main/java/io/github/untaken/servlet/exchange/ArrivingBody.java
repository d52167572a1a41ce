package io.github.untaken.servlet.exchange;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects a small body as it arrives; no thread waits for it. Ends once: by its end, a failure, or because it took too long. */
final class ArrivingBody implements ReadListener {
    private final Call call;
    private final ServletInputStream in;
    private final Supplier<Form> otherwise;
    private final BodyBytes bytes;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Consumer<Form> then = form -> {};
    private volatile @Nullable Future<?> deadline;

    /**
     * Reads nothing yet.
     *
     * @param in of the call
     * @param otherwise what to read if there is nothing: somebody else may have taken the body
     */
    ArrivingBody(Call call, ServletInputStream in, Supplier<Form> otherwise) {
        this.call = call;
        this.in = in;
        this.otherwise = otherwise;
        this.bytes = new BodyBytes(call.request());
    }

    /** The whole body if it is here, as nearly always; else null, and what is here was read. Does not wait. */
    @Nullable Form ifThere() {
        try {
            boolean kept = call.bodyIsKept(in);
            while (kept && bytes.read(in)) {
                // There is more.
            }
            bytes.readArrived(in);
            return kept || bytes.isWhole() ? form() : null;
        } catch (IOException e) {
            return refusing(Problem.UNREADABLE);
        } catch (RuntimeException e) {
            return otherwise.get();
        }
    }

    /**
     * Waits for the rest. Where the container, or a wrapper of its request, cannot do that, what others have read of it must do.
     *
     * @param then is told of the end
     */
    void begin(Later later, long mostNanos, Consumer<Form> then) {
        this.then = then;
        try {
            call.waitForAnswer();
            in.setReadListener(this);
        } catch (RuntimeException e) {
            end(otherwise.get());
            return;
        }
        try {
            deadline = later.in(mostNanos, this::endTooSlow);
        } catch (RejectedExecutionException e) {
            // The application ends, and the container's last resort is soon enough.
        }
    }

    boolean hasEnded() {
        return ended.get();
    }

    @Override
    public void onDataAvailable() {
        try {
            while (!ended.get() && in.isReady() && bytes.read(in)) {
                // There is more.
            }
            if (bytes.isTooLarge()) {
                end(refusing(Problem.TOO_LARGE));
            }
        } catch (IOException | RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onAllDataRead() {
        end(form());
    }

    private Form form() {
        if (bytes.isTooLarge()) {
            return refusing(Problem.TOO_LARGE);
        }
        call.bodyRead();
        return bytes.isEmpty() ? otherwise.get() : bytes.form();
    }

    /** The client went away, or sent a broken chunk: not our fault, and not logged. */
    @Override
    public void onError(Throwable failure) {
        end(refusing(Problem.UNREADABLE));
    }

    /** Its time is over, or its place is needed. */
    void endTooSlow() {
        end(refusing(Problem.TOO_SLOW));
    }

    private void end(Form form) {
        if (ended.compareAndSet(false, true)) {
            Future<?> pending = deadline;
            if (pending != null) {
                pending.cancel(false);
            }
            then.accept(form);
        }
    }

    private static Form refusing(Problem problem) {
        return kinds -> {
            throw new Refusal(problem);
        };
    }
}

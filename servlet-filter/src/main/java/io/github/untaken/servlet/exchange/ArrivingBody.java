package io.github.untaken.servlet.exchange;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects a small body as it arrives; no thread waits for it. Ends once: by its end, a failure, or because it took too long. */
final class ArrivingBody implements ReadListener {
    private final Call call;
    private final ServletInputStream in;
    private final Supplier<Form> otherwise;
    private final BiConsumer<ArrivingBody, Form> then;
    private final BodyBytes bytes;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Future<?> deadline;

    /**
     * Reads nothing yet.
     *
     * @param in of the call
     * @param otherwise what to read if there is nothing: somebody else may have taken the body
     * @param then is told of the end
     */
    ArrivingBody(Call call, ServletInputStream in, Supplier<Form> otherwise, BiConsumer<ArrivingBody, Form> then) {
        this.call = call;
        this.in = in;
        this.otherwise = otherwise;
        this.then = then;
        this.bytes = new BodyBytes(call.request());
    }

    /** Ends at once if the whole body is here, as nearly always; whether it did. */
    boolean endsNow() {
        try {
            boolean kept = call.bodyIsKept(in);
            while (kept && bytes.read(in)) {
                // There is more.
            }
            bytes.readArrived(in);
            if (kept || bytes.isWhole()) {
                onAllDataRead();
            }
        } catch (IOException e) {
            onError(e);
        }
        return hasEnded();
    }

    /** @throws RuntimeException if the container, or a wrapper of its request, cannot do this */
    void begin(Later later, long mostNanos) {
        call.waitForAnswer();
        in.setReadListener(this);
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
        if (bytes.isTooLarge()) {
            end(refusing(Problem.TOO_LARGE));
            return;
        }
        call.bodyRead();
        end(bytes.isEmpty() ? otherwise.get() : bytes.form());
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

    /** What others have read of it must do. */
    void endUnread() {
        end(otherwise.get());
    }

    private void end(Form form) {
        if (ended.compareAndSet(false, true)) {
            Future<?> pending = deadline;
            if (pending != null) {
                pending.cancel(false);
            }
            then.accept(this, form);
        }
    }

    private static Form refusing(Problem problem) {
        return kinds -> {
            throw new Refusal(problem);
        };
    }
}

package io.github.untaken.servlet.exchange;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects a small body as it arrives; no thread waits for it. Ends once: by its end, a failure, or its deadline. */
final class ArrivingBody implements ReadListener {
    private final Call call;
    private final ServletInputStream in;
    private final Supplier<Form> otherwise;
    private final Consumer<Form> then;
    private final byte[] bytes;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Future<?> deadline;
    private int length;

    /**
     * Reads nothing yet.
     *
     * @param in of the call
     * @param otherwise what to read if somebody else has taken the body
     * @param then is told of the end
     */
    ArrivingBody(Call call, ServletInputStream in, Supplier<Form> otherwise, Consumer<Form> then) {
        this.call = call;
        this.in = in;
        this.otherwise = otherwise;
        this.then = then;
        long announced = call.request().getContentLengthLong();
        int most = AvailabilityRequest.MAX_BODY_BYTES;
        this.bytes = new byte[1 + (announced < 0 ? most : (int) Math.min(announced, most))];
    }

    /** @throws RuntimeException if the container, or a wrapper of its request, cannot do this */
    void begin(Later later, long mostNanos) {
        if (call.bodyIsKept(in)) {
            readKept();
            return;
        }
        deadline = later.in(mostNanos, () -> end(refusing(Problem.TOO_SLOW)));
        call.waitForAnswer();
        in.setReadListener(this);
    }

    private void readKept() {
        try {
            int more = 1;
            while (more > 0 && length < bytes.length) {
                more = in.read(bytes, length, bytes.length - length);
                length += Math.max(0, more);
            }
        } catch (IOException e) {
            onError(e);
        }
        if (length == bytes.length) {
            end(refusing(Problem.TOO_LARGE));
        }
        onAllDataRead();
    }

    @Override
    public void onDataAvailable() {
        try {
            while (!ended.get() && in.isReady()) {
                int more = in.read(bytes, length, bytes.length - length);
                if (more < 0) {
                    return;
                }
                length += more;
                if (length == bytes.length) {
                    end(refusing(Problem.TOO_LARGE));
                }
            }
        } catch (IOException | RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onAllDataRead() {
        call.bodyRead();
        boolean takenByOthers = length == 0 && call.hasBody();
        end(takenByOthers ? otherwise.get() : kinds -> AvailabilityRequest.ofBody(bytes, length, kinds));
    }

    /** The client went away, or sent a broken chunk: not our fault, and not logged. */
    @Override
    public void onError(Throwable failure) {
        end(refusing(Problem.UNREADABLE));
    }

    /** Ends without telling; false if the end was told already. */
    boolean abandon() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        Future<?> pending = deadline;
        if (pending != null) {
            pending.cancel(false);
        }
        return true;
    }

    private void end(Form form) {
        if (abandon()) {
            then.accept(form);
        }
    }

    private static Form refusing(Problem problem) {
        return kinds -> {
            throw new Refusal(problem);
        };
    }
}

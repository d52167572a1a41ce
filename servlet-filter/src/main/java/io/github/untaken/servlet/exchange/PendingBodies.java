package io.github.untaken.servlet.exchange;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The form bodies that have not arrived yet: only so many, and each for so long at most, silent or dripping. None of them holds
 * a thread. Thread-safe.
 */
public final class PendingBodies {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final Semaphore room;
    private final long mostNanos;
    private final Later later;
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * None so far.
     *
     * @param most at one time
     * @param mostNanos for each
     */
    public PendingBodies(int most, long mostNanos, Later later) {
        this.room = new Semaphore(most);
        this.mostNanos = mostNanos;
        this.later = later;
    }

    /**
     * Has the body read. Where that cannot be done without waiting, or somebody else has taken it, the container's parameters
     * take its place.
     *
     * @param then is told when it is there or cannot be had, now or by another thread
     * @return false if too many are pending; then nobody is told
     */
    public boolean read(Call call, Consumer<Form> then) {
        ServletInputStream in = stream(call);
        if (in == null) {
            then.accept(parameters(call));
            return true;
        }
        if (!room.tryAcquire()) {
            return false;
        }
        ArrivingBody body = new ArrivingBody(call, in, () -> parameters(call), form -> {
            room.release();
            then.accept(form);
        });
        try {
            body.begin(later, mostNanos);
        } catch (RuntimeException e) {
            if (body.abandon()) {
                room.release();
                then.accept(parameters(call));
            }
        }
        return true;
    }

    private static @Nullable ServletInputStream stream(Call call) {
        try {
            return call.canWait() ? call.request().getInputStream() : null;
        } catch (IOException | RuntimeException e) {
            return null; // somebody has the reader, or the container knows no such charset
        }
    }

    private Form parameters(Call call) {
        return kinds -> {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        Level.WARNING,
                        "The availability endpoint takes form bodies from the container's parameters, since asynchronous"
                                + " support is off for a filter or servlet, or a filter in front has read the body. A thread"
                                + " may wait for a slow body. Map the availability filter first, with asynchronous support");
            }
            return AvailabilityRequest.ofParameters(call.request(), kinds);
        };
    }
}

package io.github.untaken.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for what other threads do. It parks between two checks, so it takes nothing from the threads it waits for.
 *
 * <p>The patience is the system property {@code test.patience}, in seconds; default 60. It matters only if the code is
 * wrong or the machine stands still.
 */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience", 60));
    private static final Duration PAUSE = Duration.ofMillis(1);

    private Eventually() {}

    /**
     * Returns once the condition holds; the calling thread checks it about a thousand times a second.
     *
     * @param what what is waited for, for the message
     * @throws WaitedInVain if it does not hold in time
     * @throws AssertionError if the thread is interrupted
     */
    public static void holds(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new WaitedInVain("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted while waiting: " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /**
     * Something did not come in time. A separate type, because it proves less than another failure: on a machine that
     * stands still it says nothing about the code.
     */
    public static final class WaitedInVain extends AssertionError {
        private static final long serialVersionUID = 1L;

        private WaitedInVain(String message) {
            super(message);
        }
    }
}

package io.github.untaken.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A point at which a call to an {@link InMemoryIdentifierStore} stops until the test lets it go, so that a test can run
 * two threads in one exact order without sleeping.
 */
public final class StoreGate {
    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    StoreGate() {}

    /**
     * Returns once the call has reached the gate.
     *
     * @throws AssertionError if none came within 30 seconds, or the thread was interrupted
     */
    public void awaitArrival() {
        await(reached, "no call came to the gate");
    }

    /** Lets the call pass; at once if it has not come yet. */
    public void open() {
        open.countDown();
    }

    void pass() {
        reached.countDown();
        await(open, "nobody opened the gate");
    }

    private static void await(CountDownLatch latch, String otherwise) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(otherwise + " within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting: " + otherwise, e);
        }
    }
}

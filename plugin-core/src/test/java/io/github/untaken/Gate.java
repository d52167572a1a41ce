package io.github.untaken;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A place where a thread of the code under test stands still until the test lets it go. */
public final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /** Called by the code under test. */
    public void pass() {
        reached.countDown();
        await(open);
    }

    /** Returns once somebody stands at the gate. */
    public void awaitArrival() {
        await(reached);
    }

    public void open() {
        open.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(CheckerFixture.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new WaitedInVain("nobody came or let go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}

package io.github.untaken.feed;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows a log until told to stop. After any failure it begins again, with pauses that grow until something succeeds. Used by
 * the thread that reads; {@link #stop} by any.
 */
public final class Attempts {
    private static final long MOST_PAUSE_MILLIS = 5_000;
    /** A server that has not noticed the end of an earlier connection or process may refuse what that one left. */
    private static final int MOST_REFUSALS = 6;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private long pause;
    private int refusals;

    /** What is tried. */
    public interface Attempt {
        /** Reads until something fails. */
        void follow() throws Exception;

        /** Reading has failed. */
        void lost(Throwable failure);

        /** Ends what is left of the attempt. */
        void letGo();
    }

    /** Returns once it is stopped. */
    public void run(Attempt attempt) {
        while (!isStopped()) {
            try {
                attempt.follow();
            } catch (Throwable e) {
                try {
                    attempt.lost(e);
                } catch (Throwable again) {
                    // the next attempt reports it
                }
            }
            try {
                attempt.letGo();
                pause();
            } catch (Throwable e) {
                // the next turn comes
            }
        }
    }

    private void pause() {
        pause = Math.min(MOST_PAUSE_MILLIS, Math.max(100, pause * 2));
        try {
            stopped.await(pause, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // none of our code interrupts this thread; the flag decides
        }
    }

    /** Something was read, so the next failure counts as the first. */
    public void succeeded() {
        pause = 0;
        refusals = 0;
    }

    /** Whether what an earlier connection or process left is worth another attempt. */
    public boolean mayTryAgain() {
        return ++refusals < MOST_REFUSALS;
    }

    /** Whether {@link #stop} was called. */
    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Stops following; also ends a pause. */
    public void stop() {
        stopped.countDown();
    }
}

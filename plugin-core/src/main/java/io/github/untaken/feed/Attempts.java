package io.github.untaken.feed;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows a log until it is told to stop. Whatever fails, it begins again, after pauses that grow as long as nothing succeeds. Used by
 * the thread that reads; {@link #stop} by any.
 */
public final class Attempts {
    private static final long MOST_PAUSE_MILLIS = 5_000;
    /** A server that has not noticed yet that an earlier life has ended may refuse what it has left. */
    private static final int MOST_REFUSALS = 6;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private long pause;
    private int refusals;

    /** What is tried. */
    public interface Attempt {
        /** Reads until something fails. */
        void follow() throws Exception;

        /** That has failed. */
        void lost(Throwable failure);

        /** Ends what is left of it. */
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
                    // the next attempt says it
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
            // nobody of ours does that; the next look at the flag decides
        }
    }

    /** Something is read; the next failure is the first again. */
    public void succeeded() {
        pause = 0;
        refusals = 0;
    }

    /** Whether what an earlier life has left is worth another attempt. */
    public boolean mayTryAgain() {
        return ++refusals < MOST_REFUSALS;
    }

    /** Whether nobody wants it any more. */
    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Ends a pause, too. */
    public void stop() {
        stopped.countDown();
    }
}

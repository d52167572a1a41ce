package io.github.untaken.cluster.mysql;

import org.jspecify.annotations.Nullable;

/** How far the log has been told. Thread-safe. */
final class Progress {
    private @Nullable LogPlace told; // guarded by this, as all below
    private int waiting;
    private int ended;

    /** Everything before that place has been told, or does not concern this stretch. */
    synchronized void reached(LogPlace place) {
        told = place;
        if (waiting > 0) {
            notifyAll();
        }
    }

    /** Wakes those who wait, since what they wait for may never come. */
    synchronized void wake() {
        ended++;
        notifyAll();
    }

    /** How many stretches have ended. Ask before checking whether one is followed. */
    synchronized int ended() {
        return ended;
    }

    /** How far it has been told; null if nothing has been read yet. */
    synchronized @Nullable LogPlace told() {
        return told;
    }

    /**
     * Waits until it has come to that place; false at the deadline, or once another stretch has ended. Calls nothing else, since whoever
     * ends a stretch holds a lock of their own.
     */
    synchronized boolean await(LogPlace place, long deadline, int endedBefore) throws InterruptedException {
        waiting++;
        try {
            while (ended == endedBefore) {
                if (told != null && told.compareTo(place) >= 0) {
                    return true;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
            return false;
        } finally {
            waiting--;
        }
    }
}

package io.github.untaken.cluster.mysql;

import org.jspecify.annotations.Nullable;

/** How far the log has been told. Thread-safe. */
final class Progress {
    private @Nullable LogPlace told; // guarded by this, as all below
    private int waiting;
    private int ended;

    /** All that stands before it has been told, or is no business of this stretch. */
    synchronized void reached(LogPlace place) {
        told = place;
        if (waiting > 0) {
            notifyAll();
        }
    }

    /** Wakes those that wait: what they wait for need not come. */
    synchronized void wake() {
        ended++;
        notifyAll();
    }

    /** Of stretches that have ended; to be asked for before it is looked whether one is followed. */
    synchronized int ended() {
        return ended;
    }

    /** Null if nothing is read, or was. */
    synchronized @Nullable LogPlace told() {
        return told;
    }

    /**
     * Whether it has come to that place; returns sooner if another stretch has ended. Calls nobody, for whoever ends one holds a lock of
     * his own.
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

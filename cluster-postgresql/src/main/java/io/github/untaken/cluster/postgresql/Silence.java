package io.github.untaken.cluster.postgresql;

import java.time.Duration;

/**
 * For how long nothing has come from the log. Where a question is answered meanwhile, and its mark does not come, the connection is
 * dead without anybody having heard so, and is given up; or the server is busy with a large transaction, which it would then begin
 * anew. So each time in a row it takes twice as long, and longer from the start where a lost connection means a scan.
 *
 * <p>Thread-safe.
 */
final class Silence {
    private static final Duration KEPT = Duration.ofSeconds(2);
    private static final Duration TEMPORARY = Duration.ofSeconds(30);

    private volatile long since = System.nanoTime();
    private volatile boolean heard;
    private long first = KEPT.toNanos(); // guarded by this, as is the next
    private long patience = first;

    /** A connection that is new; its slot may outlast it. */
    synchronized void begins(boolean kept) {
        long now = (kept ? KEPT : TEMPORARY).toNanos();
        if (now != first) {
            first = now;
            patience = now;
        }
        since = System.nanoTime();
    }

    /** Something has come. */
    void ends() {
        since = System.nanoTime();
        heard = true;
    }

    /** Whether it has lasted too long; then the next one may last twice as long, unless something has come in between. */
    synchronized boolean isTooLong() {
        if (heard) {
            heard = false;
            patience = first;
        }
        if (System.nanoTime() - since < patience) {
            return false;
        }
        patience *= 2;
        since = System.nanoTime();
        return true;
    }
}

package io.github.untaken.feed;

import java.time.Duration;

/**
 * For how long nothing has come from the log. Where a question is answered meanwhile, and its mark does not come, the connection is
 * dead without anybody having heard so, and is given up; or the server is busy with a large transaction, which it would then begin
 * anew. So each time in a row it takes twice as long, and longer from the start where a lost connection means a scan.
 *
 * <p>Thread-safe.
 */
public final class Silence {
    private volatile long since = System.nanoTime();
    private volatile boolean heard;
    private long first; // guarded by this, as is the next
    private long patience;

    /** A connection that is new. */
    public synchronized void begins(Duration shortest) {
        long now = shortest.toNanos();
        if (now != first) {
            first = now;
            patience = now;
        }
        since = System.nanoTime();
    }

    /** Something has come. */
    public void ends() {
        since = System.nanoTime();
        heard = true;
    }

    /** Whether it has lasted too long; then the next one may last twice as long, unless something has come in between. */
    public synchronized boolean isTooLong() {
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

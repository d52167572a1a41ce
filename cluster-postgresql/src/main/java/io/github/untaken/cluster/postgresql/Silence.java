package io.github.untaken.cluster.postgresql;

import java.time.Duration;

/**
 * For how long nothing has come from the log. Where a question is answered meanwhile, and its mark does not come, the connection is
 * dead without anybody having heard so, and is given up; or the server is busy with a large transaction, which it would then begin
 * anew. So each time in a row it takes twice as long.
 *
 * <p>Thread-safe.
 */
final class Silence {
    private static final Duration FIRST = Duration.ofSeconds(2);

    private volatile long since;
    private volatile boolean heard;
    private long patience = FIRST.toNanos(); // guarded by this

    Silence() {
        begins();
    }

    /** A connection that is new. */
    void begins() {
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
            patience = FIRST.toNanos();
        }
        if (System.nanoTime() - since < patience) {
            return false;
        }
        patience *= 2;
        since = System.nanoTime();
        return true;
    }
}

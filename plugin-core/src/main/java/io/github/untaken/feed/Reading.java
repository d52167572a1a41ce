package io.github.untaken.feed;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connection over which the log is read, and for how long nothing has come. If a question is answered meanwhile but its mark does not come,
 * the connection may have died unnoticed and should be given up. Or the server is busy with a large transaction, which it would then begin
 * anew. So each wait in a row is twice as long, and the first is longer where a lost connection means a scan.
 *
 * <p>Thread-safe.
 *
 * @param <L> such a connection
 */
public final class Reading<L> {
    private final Attempts attempts;
    private final Consumer<L> ending;
    private volatile @Nullable L connection;
    private volatile boolean isUnderWay;
    private volatile long since;
    private volatile boolean heard;
    private long first; // guarded by this, as is the next
    private long patience;

    /** @param ending ends a connection, without waiting */
    public Reading(Attempts attempts, Consumer<L> ending) {
        this.attempts = attempts;
        this.ending = ending;
    }

    /** From now on this connection is read. It is ended at once if the attempts were stopped. */
    public void over(L opened) {
        connection = opened;
        if (attempts.isStopped()) {
            ending.accept(opened); // they may have been stopped before it was known here
        }
    }

    /** The present connection, or the last one. */
    public Optional<L> connection() {
        return Optional.ofNullable(connection);
    }

    /** The log is read: this attempt has succeeded. */
    public synchronized void begins(Duration shortestSilence) {
        attempts.succeeded();
        long shortest = shortestSilence.toNanos();
        if (shortest != first) {
            first = shortest;
            patience = shortest;
        }
        since = System.nanoTime();
        isUnderWay = true;
    }

    /** Since it began over the present connection, until what has failed is {@linkplain #letGo let go}. */
    public boolean isUnderWay() {
        return isUnderWay;
    }

    /** Something has come. */
    public void heard() {
        since = System.nanoTime();
        heard = true;
    }

    /**
     * Call if a question is answered but the log has not come that far. The server is not asked: it may believe in a connection long after
     * the network has forgotten it.
     */
    public void endIfSilent() {
        if (isUnderWay && isSilentForTooLong()) {
            end();
        }
    }

    /** If so, the next silence may last twice as long, unless something comes in between. */
    private synchronized boolean isSilentForTooLong() {
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

    /** Ends the connection, if there is one; whoever reads begins again. */
    public void end() {
        L present = connection;
        if (present != null) {
            ending.accept(present);
        }
    }

    /** What is left of an attempt that has failed. */
    public void letGo() {
        isUnderWay = false;
        end();
    }
}

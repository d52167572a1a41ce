package io.github.untaken.jdbc.transaction;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.jdbc.Polling;
import io.github.untaken.spi.IdentifierTransaction;
import io.github.untaken.spi.TransactionSink;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The transactions of one source, such as a session factory, that have written an identifier and not ended, and who is told of them. */
public final class OpenTransactions {
    private final Set<TransactionWrites> open = ConcurrentHashMap.newKeySet();
    private final FaultLog faults = new FaultLog("io.github.untaken.jdbc");
    private volatile @Nullable TransactionSink sink;
    /** How much room columns have. Replaced by a larger set when another column is found to have other room. */
    private volatile Set<Integer> room = Set.of();

    /** The record of a transaction that is about to write, by the calling thread. */
    public TransactionWrites create() {
        TransactionWrites writes = new TransactionWrites(this);
        open.add(writes);
        return writes;
    }

    void ended(TransactionWrites writes) {
        open.remove(writes);
    }

    /**
     * Keeps a fault of ours away from the application's statement or from a transaction that is ending: the row is committed or gone
     * by then, and an exception would only tell the application otherwise. Never throws.
     *
     * @return whether it ended as it should
     */
    public boolean survived(Runnable callback) {
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            faults.failed("Taking note of a transaction", e);
            return false;
        }
    }

    /** Whether the same checker hears both. */
    public boolean isHeardWith(OpenTransactions other) {
        TransactionSink connected = sink;
        return connected != null && connected == other.sink;
    }

    /** The registry's record of a transaction, or null while no checker is connected. */
    @Nullable IdentifierTransaction begin() {
        TransactionSink connected = sink;
        return connected == null ? null : connected.begin();
    }

    /**
     * Tells of all that is open, and of what is to come. The sink is set first: a transaction that saw none before was in the set
     * before, so the loop finds it.
     *
     * @throws IllegalStateException if a checker is connected already
     */
    public synchronized void connect(TransactionSink to) {
        if (sink != null) {
            throw new IllegalStateException("another checker is connected to this source: close that one first");
        }
        sink = to;
        open.forEach(TransactionWrites::connect);
    }

    /** What is open ends as unknown for the checker that leaves. */
    public synchronized void disconnect() {
        sink = null;
        open.forEach(TransactionWrites::disconnect);
    }

    Set<Integer> room() {
        return room;
    }

    /**
     * A column has room for so many characters, and may keep that much of a longer value without a word. Told before a scan, and before
     * {@link #awaitUnheard}, which waits for those who have announced a value without knowing.
     */
    public synchronized void cutsAt(int characters) {
        if (!room.contains(characters)) {
            Set<Integer> larger = new HashSet<>(room);
            larger.add(characters);
            room = Set.copyOf(larger);
        }
    }

    /**
     * Waits for those whose writes no checker was told of, see {@link TransactionWrites#BUFFER_LIMIT}, or not with all that a column may
     * make of them.
     */
    public void awaitUnheard(Duration timeout) {
        Polling.await(
                "transactions of this application that wrote before the checker was connected or knew the columns",
                timeout,
                () -> open.stream().noneMatch(TransactionWrites::isUnheard));
    }
}

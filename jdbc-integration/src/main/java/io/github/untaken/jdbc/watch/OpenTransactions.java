package io.github.untaken.jdbc.watch;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.jdbc.connection.Polling;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What one source, such as a session factory, writes of identifiers in transactions that have not ended, and who is told. */
public final class OpenTransactions {
    private final Set<OpenWrite> open = ConcurrentHashMap.newKeySet();
    private final LentConnections lent = new LentConnections();
    private final FaultLog faults = new FaultLog("io.github.untaken.jdbc");
    private volatile @Nullable WriteSink sink;
    /** How much room columns have. Replaced by a larger set when a column turns out to have other room. */
    private volatile Set<Integer> room = Set.of();

    /** A record of what is about to be written. */
    OpenWrite create() {
        return new OpenWrite(this);
    }

    /** The source's connections, as far as it watches them. Call {@code look} now and then. */
    public LentConnections lent() {
        return lent;
    }

    void isOpen(OpenWrite write) {
        open.add(write);
    }

    void hasEnded(OpenWrite write) {
        open.remove(write);
    }

    /**
     * Keeps a fault of ours away from the application's statement, or from a transaction that is ending: the row is committed or gone by
     * then, and an exception would say otherwise. Never throws.
     *
     * @return whether it ended as it should
     */
    public boolean survived(Runnable callback) {
        try {
            callback.run();
            return true;
        } catch (Throwable e) {
            faults.failed("Recording a transaction", e);
            return false;
        }
    }

    /** Whether the same checker hears both. */
    public boolean isHeardWith(OpenTransactions other) {
        WriteSink connected = sink;
        return connected != null && connected == other.sink;
    }

    /** The registry's record of a write, or null while no checker is connected. */
    @Nullable IdentifierWrite begin() {
        WriteSink connected = sink;
        return connected == null ? null : connected.begin();
    }

    /**
     * Tells of all that is open, and of what is to come. The sink is set first: a write that saw none was in the set before, so the loop
     * finds it.
     *
     * @throws IllegalStateException if a checker is connected already
     */
    public synchronized void connect(WriteSink to) {
        if (sink != null) {
            throw new IllegalStateException("another checker is connected to this source: close that one first");
        }
        sink = to;
        open.forEach(OpenWrite::connect);
    }

    /** For the checker that leaves, what is open has ended. */
    public synchronized void disconnect() {
        sink = null;
        open.forEach(OpenWrite::disconnect);
    }

    Set<Integer> room() {
        return room;
    }

    /**
     * A column has room for so many characters, and may silently truncate a longer value to that. Told before a scan. Everything open is
     * told again, as such a column may keep it.
     */
    public synchronized void cutsAt(int characters) {
        if (!room.contains(characters)) {
            Set<Integer> larger = new HashSet<>(room);
            larger.add(characters);
            room = Set.copyOf(larger);
            open.forEach(OpenWrite::retell);
        }
    }

    /** Waits for writes that the checker was not told in full, see {@link OpenWrite#MOST_REMEMBERED}. */
    public void awaitUnheard(Duration timeout) {
        Polling.await(
                "transactions of this application that wrote more than " + OpenWrite.MOST_REMEMBERED
                        + " identifiers before the checker was connected or knew the columns",
                timeout,
                () -> open.stream().noneMatch(OpenWrite::isUnheard));
    }
}

package io.github.untaken;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Committed rows in memory, compared exactly, with places where a read or a scan can be made to stand still or fail. */
final class ScriptedStore implements RegisteredIdentifierStore.Counted, RegisteredIdentifierStore.Barrier {
    private final Set<String> rows = new ConcurrentSkipListSet<>();
    private final Map<String, Queue<Gate>> heldReplies = new ConcurrentHashMap<>();
    private final Map<String, Gate> heldReads = new ConcurrentHashMap<>();
    private final AtomicReference<Gate> heldBarrier = new AtomicReference<>();
    private final AtomicReference<Gate> heldScan = new AtomicReference<>();
    private volatile int scanHoldsAfter;
    private volatile boolean failing;
    private volatile boolean scanFails;
    private volatile boolean barrierFails;
    private volatile boolean barrierProves = true;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger scans = new AtomicInteger();
    private final AtomicInteger counts = new AtomicInteger();
    private final Set<String> readingThreads = ConcurrentHashMap.newKeySet();

    ScriptedStore(String... committed) {
        rows.addAll(List.of(committed));
    }

    void commit(String row) {
        rows.add(row);
    }

    void delete(String row) {
        rows.remove(row);
    }

    void failing(boolean fails) {
        failing = fails;
    }

    /** The next read of this key takes its snapshot and then keeps its answer until the gate opens. */
    Gate holdReply(String key) {
        Gate gate = new Gate();
        heldReplies.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>()).add(gate);
        return gate;
    }

    /** The next read of this key stands still before it looks. */
    Gate holdReplyBeforeItsSnapshot(String key) {
        Gate gate = new Gate();
        heldReads.put(key, gate);
        return gate;
    }

    /** The scan under way, or else the next one, fails at its next row; later ones do not. */
    void failingScan() {
        scanFails = true;
    }

    /** From now on it cannot tell who has written. */
    void withoutBarrier() {
        barrierProves = false;
    }

    /** From now on somebody never ends. */
    void failingBarrier(boolean fails) {
        barrierFails = fails;
    }

    /** The next barrier stands still. */
    Gate holdBarrier() {
        Gate gate = new Gate();
        heldBarrier.set(gate);
        return gate;
    }

    /** The next scan stands still after so many rows, its snapshot taken before the first. */
    Gate holdScanAfter(int rowCount) {
        Gate gate = new Gate();
        scanHoldsAfter = rowCount;
        heldScan.set(gate);
        return gate;
    }

    int reads() {
        return reads.get();
    }

    /** How often its rows were counted, which a rebuild begins with. */
    int counts() {
        return counts.get();
    }

    int scans() {
        return scans.get();
    }

    Set<String> readingThreads() {
        return readingThreads;
    }

    boolean holds(String row) {
        return rows.contains(row);
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        readingThreads.add(Thread.currentThread().getName()); // before the count, which tests wait for
        reads.incrementAndGet();
        if (failing) {
            throw new StoreException("the store was told to fail");
        }
        Gate before = heldReads.remove(key);
        if (before != null) {
            before.pass();
        }
        boolean present = rows.contains(key);
        Queue<Gate> gates = heldReplies.get(key);
        Gate gate = gates == null ? null : gates.poll();
        if (gate != null) {
            gate.pass();
        }
        return Presence.of(present);
    }

    @Override
    public void scan(Consumer<String> values) {
        if (failing) {
            throw new StoreException("the store was told to fail");
        }
        List<String> snapshot = List.copyOf(rows);
        scans.incrementAndGet();
        Gate gate = heldScan.getAndSet(null);
        int holdAfter = scanHoldsAfter;
        for (int i = 0; i < snapshot.size(); i++) {
            if (gate != null && i == holdAfter) {
                gate.pass();
            }
            if (scanFails) {
                scanFails = false;
                throw new StoreException("the scan was told to fail");
            }
            values.accept(snapshot.get(i));
        }
        if (gate != null && holdAfter >= snapshot.size()) {
            gate.pass();
        }
    }

    @Override
    public long count() {
        counts.incrementAndGet();
        if (failing) {
            throw new StoreException("the store was told to fail");
        }
        return rows.size();
    }

    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        Gate gate = heldBarrier.getAndSet(null);
        if (gate != null) {
            gate.pass();
        }
        if (barrierFails) {
            throw new StoreException("the barrier was told to fail");
        }
        return barrierProves;
    }
}

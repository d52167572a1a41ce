package io.github.untaken.testkit;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Committed identifiers in memory, compared exactly: the truth in tests of whatever asks a store. It counts its reads,
 * holds a chosen call at a {@link StoreGate}, and fails on demand.
 *
 * <p>Thread-safe. A change is visible to every read that begins after the method returned. Timeouts are ignored: a call
 * takes as long as the test holds it.
 */
public final class InMemoryIdentifierStore
        implements RegisteredIdentifierStore.Batched,
                RegisteredIdentifierStore.Counted,
                RegisteredIdentifierStore.Comparing,
                RegisteredIdentifierStore.Sampled,
                RegisteredIdentifierStore.Exclusive {
    private final Map<String, Boolean> identifiers = new ConcurrentSkipListMap<>(); // and whether they count
    private final Map<String, Queue<StoreGate>> heldReplies = new ConcurrentHashMap<>();
    private final Queue<HeldScan> heldScans = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong scans = new AtomicLong();
    private volatile boolean marked;
    private final Random random = new Random(20261121);

    private record HeldScan(int afterValues, StoreGate gate) {}

    /** An empty store. */
    public InMemoryIdentifierStore() {}

    /** Commits an identifier, or makes it count again; false if it already does. */
    public boolean add(String identifier) {
        return !Boolean.TRUE.equals(identifiers.put(identifier, true));
    }

    /** Commits many, for a scan to find. */
    public void addAll(Collection<String> many) {
        many.forEach(this::add);
    }

    /** Commits that an identifier does not count, as if marked as deleted; it is still there. */
    public void uncount(String identifier) {
        identifiers.put(identifier, false);
    }

    /** Commits a deletion; false if there was no such identifier. */
    public boolean remove(String identifier) {
        return identifiers.remove(identifier) != null;
    }

    /** Whether it is committed, counted or not. Does not count as a read: for the test's own use. */
    public boolean holds(String identifier) {
        return identifiers.containsKey(identifier);
    }

    /** Whether, from now on, every read and scan fails with a {@link StoreException}. */
    public void failing(boolean fails) {
        failing.set(fails);
    }

    /**
     * The next {@link #exists} call for this key reads its answer and then waits at the gate before returning it, like
     * a reply delayed on the network. Several for one key are used in turn.
     */
    public StoreGate holdReply(String key) {
        StoreGate gate = new StoreGate();
        heldReplies.computeIfAbsent(key, any -> new ConcurrentLinkedQueue<>()).add(gate);
        return gate;
    }

    /**
     * The next scan takes its snapshot, delivers this many values, or all if there are fewer, and waits at the gate
     * before it goes on.
     *
     * @param values 0 or more
     */
    public StoreGate holdScanAfter(int values) {
        StoreGate gate = new StoreGate();
        heldScans.add(new HeldScan(values, gate));
        return gate;
    }

    /** How often {@link #exists} was called, including failed calls. */
    public long reads() {
        return reads.get();
    }

    /** How many scans began, including failed ones. */
    public long scans() {
        return scans.get();
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        reads.incrementAndGet();
        failIfAsked();
        Boolean counts = identifiers.get(key);
        Queue<StoreGate> gates = heldReplies.get(key);
        StoreGate gate = gates == null ? null : gates.poll();
        if (gate != null) {
            gate.pass();
        }
        return counts == null ? Presence.ABSENT : counts ? Presence.COUNTED : Presence.UNCOUNTED;
    }

    /** One after the other, each answered, counted and held as by {@link #exists}. */
    @Override
    public List<Presence> existEach(List<String> keys, Duration timeout) {
        return keys.stream().map(key -> exists(key, timeout)).toList();
    }

    @Override
    public void scan(Consumer<String> values) {
        scans.incrementAndGet();
        failIfAsked();
        List<String> snapshot = List.copyOf(identifiers.keySet());
        HeldScan held = heldScans.poll();
        int holdAt = held == null ? -1 : Math.min(held.afterValues(), snapshot.size());
        for (int i = 0; i < snapshot.size(); i++) {
            if (held != null && i == holdAt) {
                held.gate().pass();
            }
            failIfAsked();
            values.accept(snapshot.get(i));
        }
        if (held != null && holdAt == snapshot.size()) {
            held.gate().pass();
        }
    }

    @Override
    public long count() {
        failIfAsked();
        return identifiers.size();
    }

    /** Unique, compared character by character. */
    @Override
    public ColumnDescription describe() {
        failIfAsked();
        return new ColumnDescription("identifiers in memory", true, "exact", "");
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs) {
        failIfAsked();
        return pairs.stream().map(pair -> pair.left().equals(pair.right())).toList();
    }

    /** Different each time, the same in each run of a test. */
    @Override
    public List<String> sample(int count) {
        failIfAsked();
        List<String> all = new ArrayList<>(identifiers.keySet());
        synchronized (random) {
            Collections.shuffle(all, random);
        }
        return List.copyOf(all.subList(0, Math.min(count, all.size())));
    }

    private void failIfAsked() {
        if (failing.get()) {
            throw new StoreException("the in-memory store was told to fail");
        }
    }

    /** Shows the size only. */
    @Override
    public String toString() {
        return "InMemoryIdentifierStore[identifiers=" + identifiers.size() + ", reads=" + reads + "]";
    }

    /** No other process can have it. */
    @Override
    public Standing standing() {
        return marked ? Standing.ALONE : Standing.UNKNOWN;
    }

    @Override
    public void mark() {
        marked = true;
    }

    @Override
    public void release() {
        marked = false;
    }
}

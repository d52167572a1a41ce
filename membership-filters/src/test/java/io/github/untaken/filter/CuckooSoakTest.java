package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two writers and two readers on one small filter, beside an exact oracle. Again and again it is filled until it has grown three
 * times, churned while it is nearly full, emptied, and swapped for a new one that holds what is left.
 */
@Tag("ci")
@Tag("nightly")
@Timeout(7_200)
class CuckooSoakTest {
    private static final long SEED = Seed.of(CuckooSoakTest.class, 20261201);
    /** Lookups and removals whose answer is known; {@code -Dfilter.soak=1000000000} for the long run. */
    private static final long OPERATIONS = Long.getLong("filter.soak", 100_000_000);

    private static final int CYCLES = 4;
    private static final int ROOT_BITS = 1;
    private static final int BUCKETS = 1024;
    private static final int SLOTS = (int) (0.9 * 4 * BUCKETS * 8 * (1 << ROOT_BITS));
    private static final int FEW = SLOTS / 20;
    private static final int WRITERS = 2;
    private static final int BATCH = 64;

    /** The oracle: how often a slot changed, odd while its entry is certainly held. */
    private final AtomicIntegerArray changes = new AtomicIntegerArray(SLOTS);

    /** Writers hold the one lock while they write, a swap takes the other. */
    private final ReadWriteLock swaps = new ReentrantReadWriteLock();

    private final SplittableRandom order = new SplittableRandom(SEED + 100);
    private final LongAdder checked = new LongAdder();
    private final LongAdder removed = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private volatile CuckooFilter filter = empty();
    private volatile boolean filling = true;
    private volatile boolean done;

    private static CuckooFilter empty() {
        return new CuckooFilter(ROOT_BITS, BUCKETS, SLOTS / 8, long[]::new);
    }

    /** Some slots always have the same entry, and share it with another, or with eleven others. */
    private static long hash(int slot, int change) {
        if (slot % 1024 < 12) {
            return mix(-1 - slot / 1024);
        }
        if (slot % 16 < 2) {
            return mix(-1_000_000 - slot / 16);
        }
        return mix((long) change * SLOTS + slot);
    }

    private static long mix(long number) {
        return new SplittableRandom(number).nextLong();
    }

    @Test
    void nothingIsEverMissing() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        long began = System.nanoTime();
        long relocations = 0;
        int growths = 0;
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                running.add(threads.submit(() -> write(writer)));
            }
            running.add(threads.submit(this::readInBatches));
            for (int cycle = 1; cycle <= CYCLES; cycle++) {
                filling = true;
                await(running, () -> filter.splits() == 3);
                long enough = OPERATIONS * cycle / CYCLES;
                long enoughRemovals = OPERATIONS / 100 * cycle / CYCLES;
                long enoughMoves = OPERATIONS / 1_000 / CYCLES;
                await(
                        running,
                        () -> checked.sum() >= enough
                                && removed.sum() > enoughRemovals
                                && filter.versionsRaised() > enoughMoves);
                filling = false;
                await(running, () -> filter.entries() < FEW);
                swaps.writeLock().lock();
                try {
                    growths += filter.splits();
                    relocations += filter.versionsRaised();
                    filter = copy();
                } finally {
                    swaps.writeLock().unlock();
                }
            }
            done = true;
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            done = true;
            threads.shutdown();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                "%,d checked operations, %,d relocations, %,d removals, %d growths, %d swaps, %d missing, %.1f s (%.1f million/s),"
                        + " seed %d%n",
                checked.sum(),
                relocations,
                removed.sum(),
                growths,
                CYCLES,
                missing.sum(),
                seconds,
                checked.sum() / seconds / 1e6,
                SEED);
        assertThat(missing.sum()).as("seed %d", SEED).isZero();
        assertThat(growths).isEqualTo(3 * CYCLES);
        assertThat(relocations).isGreaterThan(OPERATIONS / 1_000);
        assertThat(removed.sum()).isGreaterThan(OPERATIONS / 100);
        emptyCompletely();
    }

    private interface Condition {
        boolean holds();
    }

    /** Reads until the others have brought it about, or one of them has failed. */
    private void await(List<Future<?>> others, Condition condition) throws Exception {
        while (!condition.holds()) {
            for (Future<?> other : others) {
                if (other.isDone()) {
                    other.get();
                    throw new AssertionError("a thread has ended");
                }
            }
            readSingly();
        }
    }

    /** Call with all writers standing still. */
    private CuckooFilter copy() {
        CuckooFilter copy = empty();
        for (int slot = 0; slot < SLOTS; slot++) {
            int change = changes.get(slot);
            if ((change & 1) == 1) {
                assertThat(copy.add(hash(slot, change))).isTrue();
            }
        }
        assertThat(copy.entries()).isEqualTo(filter.entries());
        return copy;
    }

    private void emptyCompletely() {
        for (int slot = 0; slot < SLOTS; slot++) {
            int change = changes.get(slot);
            if ((change & 1) == 1) {
                assertThat(filter.mightContain(hash(slot, change))).isTrue();
                assertThat(filter.remove(hash(slot, change))).isTrue();
            }
        }
        assertThat(filter.entries()).isZero();
    }

    private void write(int writer) {
        SplittableRandom random = new SplittableRandom(SEED + writer);
        while (!done) {
            swaps.readLock().lock();
            try {
                CuckooFilter current = filter;
                for (int i = 0; i < BATCH; i++) {
                    change(current, random.nextInt(SLOTS / WRITERS) * WRITERS + writer);
                }
            } finally {
                swaps.readLock().unlock();
            }
        }
    }

    private void change(CuckooFilter current, int slot) {
        int change = changes.get(slot);
        if ((change & 1) == 1) {
            changes.set(slot, change + 1);
            checked.increment();
            if (current.remove(hash(slot, change))) {
                removed.increment();
            } else {
                missing.increment();
            }
            change++;
        }
        if (filling) {
            if (!current.add(hash(slot, change + 1))) {
                throw new AssertionError("refused at " + current);
            }
            changes.set(slot, change + 1);
        }
    }

    private void readSingly() {
        long answered = 0;
        for (int i = 0; i < 10_000; i++) {
            int slot = order.nextInt(SLOTS);
            int change = changes.get(slot);
            if ((change & 1) == 1) {
                CuckooFilter current = filter;
                answered++;
                if (!current.mightContain(hash(slot, change))) {
                    judge(slot, change, current);
                }
            }
        }
        checked.add(answered);
    }

    private void readInBatches() {
        SplittableRandom random = new SplittableRandom(SEED + 101);
        int[] slots = new int[BATCH];
        int[] seen = new int[BATCH];
        long[] hashes = new long[BATCH];
        boolean[] results = new boolean[BATCH];
        while (!done) {
            for (int i = 0; i < BATCH; i++) {
                slots[i] = random.nextInt(SLOTS);
                seen[i] = changes.get(slots[i]);
                hashes[i] = hash(slots[i], seen[i]);
            }
            CuckooFilter current = filter;
            current.mightContainAll(hashes, results);
            for (int i = 0; i < BATCH; i++) {
                if ((seen[i] & 1) == 1) {
                    checked.increment();
                    if (!results[i]) {
                        judge(slots[i], seen[i], current);
                    }
                }
            }
        }
    }

    /** A "no" is wrong if the entry was there all the time, in the filter that was asked. */
    private void judge(int slot, int change, CuckooFilter asked) {
        if (changes.get(slot) == change && filter == asked) {
            missing.increment();
        }
    }
}

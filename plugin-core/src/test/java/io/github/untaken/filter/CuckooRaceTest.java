package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readers beside one writer that never rests, in tables so small that nearly every write moves something. In a table of
 * millions these races practically never show, so a test with realistic sizes would prove nothing.
 */
@Timeout(120)
class CuckooRaceTest {
    private static final long SEED = 20261126;
    private static final int READERS = 2;

    private volatile boolean done;

    /** Odd while the entry asked for is certainly held. */
    private volatile int phase = 1;

    @Test
    void noReaderMissesAnEntryThatMoves() throws Exception {
        int buckets = 250;
        CuckooFilter filter = new CuckooFilter(0, buckets, 1_000, new OneTable());
        SplittableRandom random = new SplittableRandom(SEED);
        long[] stable = random.longs(500).toArray();
        long[] changing = random.longs(450).toArray();
        for (long hash : stable) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (long hash : changing) {
            assertThat(filter.add(hash)).isTrue();
        }
        long lost = readersBeside(filter, stable, () -> {
            for (int i = 0; i < 800_000; i++) {
                int at = random.nextInt(changing.length);
                assertThat(filter.remove(changing[at])).isTrue();
                changing[at] = random.nextLong();
                assertThat(filter.add(changing[at])).isTrue();
            }
        });
        assertThat(lost).as("lost lookups, seed %d", SEED).isZero();
        assertThat(filter.versionsRaised()).as("moves").isGreaterThan(200_000);
        for (long hash : changing) {
            assertThat(filter.mightContain(hash)).isTrue();
        }
    }

    /**
     * One entry stays; copies made by twins come and go around it, so that its lane wanders between its two buckets without
     * any move: a twin is added to the one bucket because the other is full, and its removal takes the lane in the other.
     */
    @Test
    void noReaderMissesAnEntryWhoseTwinIsRemoved() throws Exception {
        int buckets = 250;
        CuckooFilter filter = new CuckooFilter(0, buckets, 1_000, new OneTable());
        SplittableRandom random = new SplittableRandom(SEED);
        long entry = Twins.in(20, 0x1234, buckets, random);
        int other = CuckooTable.alternate(20, 0x1234, buckets);
        long twinHere = Twins.in(20, 0x1234, buckets, random);
        long twinThere = Twins.in(other, 0x1234, buckets, random);
        long[] fillHere = fillers(20, buckets, random);
        long[] fillThere = fillers(other, buckets, random);
        assertThat(filter.add(entry)).isTrue();
        long lost = readersBeside(filter, new long[] {entry}, () -> {
            for (int i = 0; i < 400_000; i++) {
                wander(filter, twinHere, fillHere);
                wander(filter, twinThere, fillThere);
            }
        });
        assertThat(lost).as("lost lookups, seed %d", SEED).isZero();
        assertThat(filter.entries()).isEqualTo(1);
    }

    private static void wander(CuckooFilter filter, long twin, long[] fillers) {
        for (long filler : fillers) {
            filter.add(filler);
        }
        filter.add(twin);
        for (long filler : fillers) {
            filter.remove(filler);
        }
        filter.remove(twin);
    }

    private static long[] fillers(int bucket, int buckets, SplittableRandom random) {
        long[] fillers = new long[3];
        for (int i = 0; i < fillers.length; i++) {
            fillers[i] = Twins.in(bucket, 0x2001 + i, buckets, random);
        }
        return fillers;
    }

    /** The stash is the third place of an entry: a copy is added to the table, then the stashed one is removed. */
    @Test
    void noReaderMissesAnEntryThatLeavesTheStash() throws Exception {
        int buckets = 250;
        CuckooFilter filter = new CuckooFilter(0, buckets, 1_000, new OneTable());
        SplittableRandom random = new SplittableRandom(SEED);
        long entry = Twins.in(20, 0x1234, buckets, random);
        List<Long> twins = Twins.of(entry, 8, buckets, random);
        // Written just before, so that a batch waits for their cache lines between the entry's buckets and the stash.
        long[] others = random.longs(15).toArray();
        done = false;
        phase = 0;
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<Long>> readers = new ArrayList<>();
            for (int r = 0; r < READERS; r++) {
                boolean[] single = {r == 0};
                readers.add(threads.submit(() -> countLostInOddPhases(filter, entry, others, single[0])));
            }
            for (int i = 0; i < 300_000; i++) {
                twins.forEach(filter::add);
                filter.add(entry);
                // The twins leave while the entry, which the stash holds, answers for itself.
                twins.forEach(filter::remove);
                for (long other : others) {
                    filter.add(other);
                    filter.remove(other);
                }
                phase++;
                filter.add(entry);
                filter.remove(entry);
                // Time for a reader caught in between to notice before it is told that anything goes.
                for (int k = 0; k < 40; k++) {
                    assertThat(filter.mightContain(entry)).isTrue();
                }
                phase++;
                filter.remove(entry);
            }
            done = true;
            for (Future<Long> reader : readers) {
                assertThat(reader.get()).as("lost lookups, seed %d", SEED).isZero();
            }
        } finally {
            done = true;
            threads.shutdown();
        }
        assertThat(filter.entries()).isZero();
    }

    private long countLostInOddPhases(CuckooFilter filter, long entry, long[] others, boolean singly) {
        long lost = 0;
        long[] batch = new long[others.length + 1];
        batch[0] = entry;
        System.arraycopy(others, 0, batch, 1, others.length);
        boolean[] results = new boolean[batch.length];
        while (!done) {
            int before = phase;
            if ((before & 1) == 1) {
                if (singly) {
                    results[0] = filter.mightContain(entry);
                } else {
                    filter.mightContainAll(batch, results);
                }
                if (!results[0] && phase == before) {
                    lost++;
                }
            }
        }
        return lost;
    }

    private long readersBeside(CuckooFilter filter, long[] held, Runnable writer) throws Exception {
        done = false;
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<Long>> readers = new ArrayList<>();
            for (int r = 0; r < READERS; r++) {
                Callable<Long> reader = r == 0 ? () -> countLost(filter, held) : () -> countLostInBatches(filter, held);
                readers.add(threads.submit(reader));
            }
            writer.run();
            done = true;
            long lost = 0;
            for (Future<Long> reader : readers) {
                lost += reader.get();
            }
            return lost;
        } finally {
            done = true;
            threads.shutdown();
        }
    }

    private long countLost(CuckooFilter filter, long[] held) {
        long lost = 0;
        while (!done) {
            for (long hash : held) {
                if (!filter.mightContain(hash)) {
                    lost++;
                }
            }
        }
        return lost;
    }

    private long countLostInBatches(CuckooFilter filter, long[] held) {
        long lost = 0;
        boolean[] results = new boolean[held.length];
        while (!done) {
            filter.mightContainAll(held, results);
            for (boolean result : results) {
                if (!result) {
                    lost++;
                }
            }
        }
        return lost;
    }
}

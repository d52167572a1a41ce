package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooGrowthTest {
    private static final long SEED = 20261128;

    @ParameterizedTest
    @CsvSource({"0, 64", "0, 1000", "1, 500", "3, 500"})
    void growsThreefoldAndLosesNothing(int rootBits, int buckets) {
        CuckooFilter filter = new CuckooFilter(rootBits, buckets, 1, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED + buckets);
        List<Long> held = new ArrayList<>();
        int splits = 0;
        while (true) {
            long hash = random.nextLong();
            if (!filter.add(hash)) {
                break;
            }
            held.add(hash);
            if (filter.splits() > splits) {
                splits = filter.splits();
                assertThat(held).as("after split %d", splits).allMatch(filter::mightContain);
                assertThat(filter.entries()).isEqualTo(held.size());
            }
        }
        assertThat(splits).isEqualTo(3);
        assertThat((double) held.size()).isGreaterThan(0.9 * 8 * 4 * (buckets << rootBits));
        assertThat(held).allMatch(filter::mightContain);

        Collections.shuffle(held, new Random(SEED));
        int half = held.size() / 2;
        assertThat(held.subList(half, held.size())).allMatch(filter::remove);
        assertThat(held.subList(0, half)).allMatch(filter::mightContain);
        // It was full to the last; in another order a few find no room.
        List<Long> again =
                held.subList(half, held.size()).stream().filter(filter::add).toList();
        assertThat((double) again.size()).isGreaterThan(0.98 * half);
        assertThat(held.subList(0, half)).allMatch(filter::mightContain);
        assertThat(again).allMatch(filter::mightContain).allMatch(filter::remove);
        assertThat(held.subList(0, half)).allMatch(filter::mightContain);
        assertThat(held.subList(0, half)).allMatch(filter::remove);
        assertThat(filter.entries()).isZero();
        assertThat(filter.stashed()).isZero();
        for (int i = 0; i < 100_000; i++) {
            assertThat(filter.mightContain(random.nextLong())).isFalse();
        }
    }

    /** A table at a time; in between, some are split more often than others. */
    @Test
    void oneTableIsSplitAtATime() {
        CuckooFilter filter = new CuckooFilter(2, 256, 1, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> held = new ArrayList<>();
        long slots = 4 * 256 * 4;
        int grown = 0;
        while (grown < 3 * 4) {
            long hash = random.nextLong();
            assertThat(filter.add(hash)).isTrue();
            held.add(hash);
            if (!filter.toString().contains("slots=" + slots)) {
                slots += 256 * 4;
                grown++;
                assertThat(filter.toString()).contains("slots=" + slots);
                assertThat(held).allMatch(filter::mightContain);
            }
        }
    }

    @Test
    void theErrorRateOfEachDoublingIsAsDeclared() {
        int buckets = 50_000;
        CuckooFilter filter = new CuckooFilter(0, buckets, 1, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int doublings = 0; doublings <= 3; doublings++) {
            while (filter.entries() < 0.95 * buckets * 4 * (1 << doublings)) {
                assertThat(filter.add(random.nextLong())).isTrue();
            }
            assertThat(filter.splits()).isEqualTo(doublings);
            int probes = 4_000_000;
            int wrong = 0;
            for (int i = 0; i < probes; i++) {
                wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
            }
            double declared = FilterSizing.cuckooErrorRate(doublings);
            double measured = (double) wrong / probes;
            System.out.printf(
                    "after %d doublings: measured %.3e, declared %.1e, seed %d%n", doublings, measured, declared, SEED);
            assertThat(measured).isBetween(declared * 0.85, declared * 1.1);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterSizing.cuckooErrorRate(4))
                .withMessage("doublings must be 0 to 3, but was 4");
    }

    @Test
    void aSplitLeavesTheOldTableAsItIs() {
        CuckooTable table = new CuckooTable(new long[97], new long[CuckooTable.STRIPES]);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 300; i++) {
            table.put(random.nextInt(97), random.nextInt(1, 65_536));
        }
        long[] before = table.words.clone();
        CuckooTable[] halves = table.split(long[]::new);
        assertThat(table.words).isEqualTo(before);
        assertThat(halves[0].words).isNotSameAs(table.words);
        long inHalves = 0;
        for (int bucket = 0; bucket < 97; bucket++) {
            for (int lane = 0; lane < CuckooTable.LANES; lane++) {
                int fingerprint = CuckooTable.fingerprintIn(before[bucket], lane);
                int half = fingerprint & 1;
                assertThat(CuckooTable.fingerprintIn(halves[half].words[bucket], lane))
                        .isEqualTo(fingerprint);
                assertThat(CuckooTable.fingerprintIn(halves[1 - half].words[bucket], lane))
                        .isZero();
                inHalves += fingerprint == 0 ? 0 : 1;
            }
        }
        assertThat(halves[0].countEntries() + halves[1].countEntries())
                .isEqualTo(inHalves)
                .isEqualTo(table.countEntries());
    }

    /** 20 copies: eight in their two buckets, twelve in the stash; they stay so many over each split. */
    @ParameterizedTest
    @ValueSource(longs = {0x1234_5678_9abc_0000L, 0x8765_4321_0fed_ffffL, -1, 0, 0x7fff_ffff_ffff_ff05L})
    void copiesBeyondEightStayExactOverSplits(long hash) {
        CuckooFilter filter = new CuckooFilter(1, 300, 1, long[]::new);
        for (int i = 0; i < 20; i++) {
            assertThat(filter.add(hash)).isTrue();
        }
        assertThat(filter.splits()).isZero();
        assertThat(filter.stashed()).isEqualTo(1);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> others = new ArrayList<>();
        while (filter.splits() < 3) {
            others.add(random.nextLong());
            assertThat(filter.add(others.get(others.size() - 1))).isTrue();
        }
        for (int i = 0; i < 20; i++) {
            assertThat(filter.mightContain(hash)).isTrue();
            assertThat(filter.remove(hash)).isTrue();
        }
        assertThat(filter.entries()).isEqualTo(others.size());
        assertThat(others).allMatch(filter::mightContain).allMatch(filter::remove);
        assertThat(filter.entries()).isZero();
        assertThat(filter.mightContain(hash)).isFalse();
    }

    @Test
    void whatIsStashedGoesIntoTheTablesWithTheNextSplit() {
        int buckets = 300;
        CuckooFilter filter = new CuckooFilter(buckets, 1_000);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> twins = Twins.of(random.nextLong(), 15, buckets, random);
        twins.forEach(filter::add);
        assertThat(filter.stashed()).isEqualTo(7);
        twins.subList(0, 8).forEach(filter::remove);
        assertThat(filter.stashed()).isEqualTo(7);
        while (filter.splits() == 0) {
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        assertThat(filter.stashed()).isZero();
        assertThat(twins.subList(8, 15)).allMatch(filter::mightContain).allMatch(filter::remove);
        long before = filter.entries();
        assertThat(twins).noneMatch(filter::remove);
        assertThat(filter.entries()).isEqualTo(before);
    }

    /** Nine rows with equal keys are no reason to double the memory. */
    @Test
    void manyCopiesInAFilterWithRoomAreStashedInstead() {
        CuckooFilter filter = new CuckooFilter(1_000, 3_800);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 3_600; i++) {
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        long hash = random.nextLong();
        for (int i = 0; i < 1_000; i++) {
            assertThat(filter.add(hash)).isTrue();
        }
        assertThat(filter.splits()).isZero();
        assertThat(filter.stashed()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailedAllocationLeavesTheOldTablesWhole(boolean outOfMemory) {
        boolean failed = true;
        for (int k = 1; failed; k++) {
            Scarce memory = new Scarce(k, outOfMemory);
            List<Long> held = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(SEED + k);
            CuckooFilter filter = new CuckooFilter(1, 40, 300, memory);
            memory.armed = true;
            int refused = 0;
            while (refused < 300) {
                long hash = random.nextLong();
                long before = filter.entries();
                try {
                    if (filter.add(hash)) {
                        held.add(hash);
                        continue;
                    }
                } catch (OddFailure e) {
                    assertThat(outOfMemory).isFalse();
                }
                refused++;
                assertThat(filter.entries()).isEqualTo(before);
            }
            failed = memory.calls >= k;
            if (failed) {
                assertThat(filter.wantsRebuild()).isTrue();
            }
            assertThat(held).as("failure of allocation %d", k).allMatch(filter::mightContain);
            // The next operations work, and nothing was counted twice.
            assertThat(filter.remove(held.remove(0))).isTrue();
            assertThat(held).allMatch(filter::mightContain).allMatch(filter::remove);
            assertThat(filter.entries()).isZero();
        }
    }

    /** Beside a filter whose growth never fails: one add later it has caught up, bit for bit as far as one can ask. */
    @Test
    void anExceptionInTheMiddleOfGrowthChangesNoAnswerAndHoldsNoLock() throws Exception {
        long[] probes = new SplittableRandom(1).longs(50_000).toArray();
        int failures = 0;
        boolean failed = true;
        for (int k = 1; failed; k++) {
            failed = false;
            Scarce memory = new Scarce(k, false);
            CuckooFilter filter = new CuckooFilter(1, 40, 300, memory);
            CuckooFilter spared = new CuckooFilter(1, 40, 300, long[]::new);
            memory.armed = true;
            SplittableRandom random = new SplittableRandom(SEED + k);
            for (int i = 0; i < 2_400; i++) {
                long hash = random.nextLong();
                boolean added;
                try {
                    added = filter.add(hash);
                } catch (OddFailure e) {
                    failed = true;
                    failures++;
                    assertAlike(filter, spared, probes);
                    // The thread that failed could enter its own lock again; another one could not.
                    FutureTask<Boolean> again = new FutureTask<>(() -> filter.add(hash));
                    new Thread(again).start();
                    added = again.get(20, TimeUnit.SECONDS);
                }
                assertThat(added).isEqualTo(spared.add(hash));
            }
            assertAlike(filter, spared, probes);
        }
        assertThat(failures).isGreaterThanOrEqualTo(2 * 2 * (1 + 2 + 4));
    }

    private static void assertAlike(CuckooFilter one, CuckooFilter other, long[] probes) {
        assertThat(one).hasToString(other.toString());
        assertThat(one.bytes()).isEqualTo(other.bytes());
        boolean[] answers = new boolean[probes.length];
        boolean[] expected = new boolean[probes.length];
        one.mightContainAll(probes, answers);
        other.mightContainAll(probes, expected);
        assertThat(answers).isEqualTo(expected);
    }

    /** Fails once, as the real one does when there is no memory, or as nothing should. */
    private static final class Scarce implements IntFunction<long[]> {
        private final int failsAt;
        private final boolean outOfMemory;
        private boolean armed;
        private int calls;

        Scarce(int failsAt, boolean outOfMemory) {
            this.failsAt = failsAt;
            this.outOfMemory = outOfMemory;
        }

        @Override
        public long[] apply(int length) {
            if (armed && ++calls == failsAt) {
                if (outOfMemory) {
                    throw new OutOfMemoryError("on purpose");
                }
                throw new OddFailure();
            }
            return new long[length];
        }
    }

    private static final class OddFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void anExceptionReachesWhoeverAdds() {
        CuckooFilter filter = new CuckooFilter(0, 40, 100, new Scarce(2, false));
        SplittableRandom random = new SplittableRandom(SEED);
        assertThat(filter.add(random.nextLong())).isTrue();
        Scarce memory = new Scarce(1, false);
        CuckooFilter other = new CuckooFilter(0, 40, 100, memory);
        memory.armed = true;
        assertThatThrownBy(() -> {
                    while (other.add(random.nextLong())) {
                        // until it splits
                    }
                })
                .isInstanceOf(OddFailure.class);
    }

    @Test
    void wantsARebuildFromTheFirstSplitOn() {
        CuckooFilter filter = new CuckooFilter(1, 500, 1_000_000, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        while (filter.splits() == 0) {
            assertThat(filter.wantsRebuild()).isFalse();
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        assertThat(filter.wantsRebuild()).isTrue();
    }

    @Test
    void tellsTheMemoryOfAllItsTables() {
        CuckooFilter filter = new CuckooFilter(1, 10_000, 1, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int splits = 0; splits <= 3; splits++) {
            while (filter.entries() < 0.95 * 80_000 * (1 << splits)) {
                assertThat(filter.add(random.nextLong())).isTrue();
            }
            assertThat(filter.bytes() - (160_000L << splits)).isBetween(0L, 20_000L);
        }
    }

    @Test
    void onlyFiltersOfMoreThanSixteenMillionBucketsHaveSeveralTables() {
        assertThat(CuckooDirectory.rootBitsFor(1)).isZero();
        assertThat(CuckooDirectory.rootBitsFor(1 << 24)).isZero();
        assertThat(CuckooDirectory.rootBitsFor((1 << 24) + 1)).isEqualTo(1);
        assertThat(CuckooDirectory.rootBitsFor(1L << 31)).isEqualTo(7);
        assertThat(CuckooDirectory.rootBitsFor(1L << 34)).isEqualTo(10);
        assertThat(CuckooDirectory.rootBitsFor(1L << 50)).isEqualTo(10);
    }

    /** What chooses the table and the bucket is not in the fingerprint, or few pairs of them would ever occur. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, CuckooDirectory.MOST_ROOT_BITS})
    void theFingerprintSharesNoBitWithThePlace(int rootBits) {
        CuckooDirectory directory = CuckooDirectory.empty(rootBits, 1, new long[CuckooTable.STRIPES], long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 100_000; i++) {
            long hash = random.nextLong();
            long other = hash ^ random.nextLong(1 << 16);
            assertThat(directory.bucket(other, CuckooDirectory.MOST_BUCKETS))
                    .isEqualTo(directory.bucket(hash, CuckooDirectory.MOST_BUCKETS));
            assertThat(directory.table(other, 1)).isSameAs(directory.table(hash, 1));
        }
        assertThat(CuckooDirectory.MOST_ROOT_BITS + Integer.numberOfTrailingZeros(CuckooDirectory.MOST_BUCKETS) + 16)
                .isLessThanOrEqualTo(Long.SIZE);
    }

    /** As many tables as 128 GiB need, each of a few buckets only. */
    @Test
    void theLargestDirectorySpreadsItsEntriesEvenly() {
        CuckooFilter filter = new CuckooFilter(10, 256, 1 << 20, long[]::new);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> held = new ArrayList<>();
        for (int i = 0; i < 1 << 19; i++) {
            held.add(random.nextLong());
            assertThat(filter.add(held.get(i))).isTrue();
        }
        assertThat(filter.splits()).isZero();
        assertThat(held).allMatch(filter::mightContain).allMatch(filter::remove);
        assertThat(filter.entries()).isZero();
    }
}

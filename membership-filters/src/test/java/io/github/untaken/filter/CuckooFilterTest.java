package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooFilterTest {
    private static final long SEED = Seed.of(CuckooFilterTest.class, 20261124);

    /** Two buckets hold eight of them; where both are the same bucket (fingerprint 2 in bucket 0), four. */
    @ParameterizedTest
    @CsvSource({"9, 5, 50000, 8", "64, 5, 50000, 8", "1000, 5, 50000, 8", "9, 0, 2, 4", "64, 0, 2, 4", "1000, 0, 2, 4"})
    void manyEntriesOfOnePairOfBucketsLeaveInAnyOrder(int count, int bucket, int fingerprint, int lanes) {
        int buckets = 64;
        CuckooFilter filter = new CuckooFilter(buckets, 240);
        SplittableRandom random = new SplittableRandom(SEED + count);
        long first = Twins.in(bucket, fingerprint, buckets, random);
        List<Long> held = new ArrayList<>();
        for (long hash : Twins.of(first, count, buckets, random)) {
            boolean added = filter.add(hash);
            assertThat(added).isEqualTo(held.size() < lanes + Stash.LIMIT);
            if (added) {
                held.add(hash);
            }
        }
        assertThat(filter.entries()).isEqualTo(held.size());
        assertThat(filter.stashed()).isEqualTo(held.size() - lanes);
        Collections.shuffle(held, new Random(SEED));
        for (int i = 0; i < held.size(); i++) {
            assertThat(filter.remove(held.get(i))).isTrue();
            for (long hash : held.subList(i + 1, held.size())) {
                assertThat(filter.mightContain(hash)).isTrue();
            }
        }
        assertThat(filter.entries()).isZero();
        assertThat(filter.stashed()).isZero();
        assertThat(filter.mightContain(held.get(0))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 64, 1_000})
    void manyCopiesOfOneHashLeaveOneByOne(int copies) {
        CuckooFilter filter = new CuckooFilter(64, 240);
        long hash = new SplittableRandom(SEED).nextLong();
        for (int i = 0; i < copies; i++) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (int i = 0; i < copies; i++) {
            assertThat(filter.mightContain(hash)).isTrue();
            assertThat(filter.remove(hash)).isTrue();
        }
        assertThat(filter.mightContain(hash)).isFalse();
        assertThat(filter.remove(hash)).isFalse();
    }

    @Test
    void copiesOfOneHashNeverHurtTheirNeighbours() {
        CuckooFilter filter = new CuckooFilter(256, 900);
        SplittableRandom random = new SplittableRandom(SEED);
        long[] neighbours = random.longs(900).toArray();
        for (long hash : neighbours) {
            assertThat(filter.add(hash)).isTrue();
        }
        long hash = random.nextLong();
        for (int i = 0; i < 70_000; i++) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (int i = 0; i < 70_000; i++) {
            assertThat(filter.remove(hash)).isTrue();
        }
        for (long neighbour : neighbours) {
            assertThat(filter.mightContain(neighbour)).isTrue();
        }
        // More copies than the stash can count: it no longer knows, so the entry stays for good.
        assertThat(filter.mightContain(hash)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1_000})
    void aThousandRefusalsLoseNothing(int buckets) {
        CuckooFilter filter = new CuckooFilter(buckets, buckets * 4L);
        SplittableRandom random = new SplittableRandom(SEED + buckets);
        Map<Long, Integer> held = new HashMap<>();
        int refused = 0;
        while (refused < 1_000) {
            long hash = random.nextLong();
            long before = filter.entries();
            if (filter.add(hash)) {
                held.merge(hash, 1, Integer::sum);
                assertThat(filter.entries()).isEqualTo(before + 1);
            } else {
                refused++;
                assertThat(filter.entries()).isEqualTo(before);
            }
        }
        assertThat(filter.stashed()).isEqualTo(Stash.LIMIT);
        assertThat(held.size()).isGreaterThan((int) (buckets * 4 * 0.9) + Stash.LIMIT - 4);
        assertThat(held.keySet()).allMatch(filter::mightContain);
        assertThat(held.keySet()).allMatch(filter::remove);
        assertThat(filter.entries()).isZero();
    }

    @Test
    void aRefusalChangesNoWord() {
        CuckooFilter filter = new CuckooFilter(16, 60);
        SplittableRandom random = new SplittableRandom(SEED);
        // One that is refused says little of the next one, which may have room; after so many there is none.
        for (int refusedInARow = 0; refusedInARow < 2_000; ) {
            refusedInARow = filter.add(random.nextLong()) ? 0 : refusedInARow + 1;
        }
        String before = filter.toString();
        boolean[] answers = answers(filter);
        for (int i = 0; i < 1_000; i++) {
            long hash = random.nextLong();
            if (!filter.mightContain(hash)) {
                assertThat(filter.add(hash)).isFalse();
            }
        }
        assertThat(filter).hasToString(before);
        assertThat(answers(filter)).isEqualTo(answers);
    }

    private static boolean[] answers(CuckooFilter filter) {
        long[] probes = new SplittableRandom(1).longs(100_000).toArray();
        boolean[] answers = new boolean[probes.length];
        filter.mightContainAll(probes, answers);
        return answers;
    }

    @Test
    void removingOneOfTwoCollidingHashesLeavesTheOther() {
        int buckets = 100_003;
        CuckooFilter filter = new CuckooFilter(buckets, 380_000);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 360_000; i++) {
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        for (int i = 0; i < 1_000; i++) {
            List<Long> pair = Twins.of(random.nextLong(), 2, buckets, random);
            assertThat(bucketsOf(pair.get(0), buckets)).isEqualTo(bucketsOf(pair.get(1), buckets));
            for (int gone = 0; gone < 2; gone++) {
                assertThat(filter.add(pair.get(0))).isTrue();
                assertThat(filter.add(pair.get(1))).isTrue();
                assertThat(filter.remove(pair.get(gone))).isTrue();
                assertThat(filter.mightContain(pair.get(1 - gone))).isTrue();
                assertThat(filter.remove(pair.get(1 - gone))).isTrue();
            }
        }
        assertThat(filter.entries()).isEqualTo(360_000);
    }

    /** With names as they come and the hasher that is used: nobody constructed these pairs. */
    @ParameterizedTest
    @ValueSource(ints = {4_096, 5_003})
    void ofAThousandMinedPairsOfNamesEitherCanLeaveFirst(int buckets) {
        KeyHasher hasher = KeyHasher.of(SEED, buckets);
        List<long[]> pairs = minedPairs(hasher, buckets, 1_000);
        assertThat(pairs).hasSize(1_000).allSatisfy(pair -> {
            assertThat(pair[0]).isNotEqualTo(pair[1]);
            assertThat(CuckooTable.fingerprint(pair[0])).isEqualTo(CuckooTable.fingerprint(pair[1]));
            assertThat(bucketsOf(pair[0], buckets)).isEqualTo(bucketsOf(pair[1], buckets));
        });
        CuckooFilter filter = new CuckooFilter(0, buckets, buckets * 4L, new OneTable());
        SplittableRandom random = new SplittableRandom(SEED);
        while (filter.entries() < buckets * 4L * 0.9) {
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        long before = filter.entries();
        for (long[] pair : pairs) {
            for (int gone = 0; gone < 2; gone++) {
                assertThat(filter.add(pair[0])).isTrue();
                assertThat(filter.add(pair[1])).isTrue();
                assertThat(filter.entries()).isEqualTo(before + 2);
                assertThat(filter.remove(pair[gone])).isTrue();
                assertThat(filter.mightContain(pair[1 - gone])).isTrue();
                assertThat(filter.remove(pair[1 - gone])).isTrue();
            }
        }
        assertThat(filter.entries()).isEqualTo(before);
    }

    /** Hashes of names, two and two of which one table of so many buckets cannot tell apart. */
    private static List<long[]> minedPairs(KeyHasher hasher, int buckets, int wanted) {
        Map<Long, Long> alone = new HashMap<>();
        List<long[]> pairs = new ArrayList<>();
        for (int name = 0; pairs.size() < wanted; name++) {
            long hash = hasher.hash("user" + name);
            long place = (long) bucketsOf(hash, buckets).get(0) << 16 | CuckooTable.fingerprint(hash);
            Long mate = alone.remove(place);
            if (mate == null) {
                alone.put(place, hash);
            } else {
                pairs.add(new long[] {mate, hash});
            }
        }
        return pairs;
    }

    /** The smaller one first. */
    private static List<Integer> bucketsOf(long hash, int buckets) {
        int one = CuckooTable.bucket(hash, buckets);
        int two = CuckooTable.alternate(one, CuckooTable.fingerprint(hash), buckets);
        return List.of(Math.min(one, two), Math.max(one, two));
    }

    /** Every step beside an exact multiset, in tables so small that moves, twins, splits and the stash happen all the time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 16, 61, 256})
    void agreesWithAnExactMultisetInTinyTables(int buckets) {
        CuckooFilter filter = new CuckooFilter(buckets, buckets * 4L);
        SplittableRandom random = new SplittableRandom(SEED + buckets);
        List<Long> held = new ArrayList<>();
        int most = buckets * 4 * 8 + Stash.LIMIT / 2;
        for (int step = 0; step < 24_000; step++) {
            boolean grow = step / 3_000 % 2 == 0 ? random.nextInt(3) > 0 : random.nextInt(3) == 0;
            if (grow && held.size() < most) {
                long hash = held.isEmpty() || random.nextInt(4) > 0
                        ? random.nextLong()
                        : held.get(random.nextInt(held.size()));
                if (filter.add(hash)) {
                    held.add(hash);
                }
            } else if (!held.isEmpty()) {
                int at = random.nextInt(held.size());
                Collections.swap(held, at, held.size() - 1);
                assertThat(filter.remove(held.remove(held.size() - 1))).isTrue();
            }
            assertThat(filter.entries()).isEqualTo(held.size());
            if (step % 500 == 0) {
                assertThat(held).as("seed %d, step %d", SEED + buckets, step).allMatch(filter::mightContain);
            }
        }
        assertThat(held).allMatch(filter::mightContain);
        assertThat(held).allMatch(filter::remove);
        assertThat(filter.entries()).isZero();
    }

    @Test
    void fillsToItsCapacityWithoutTheStash() {
        for (int capacity : new int[] {10_000, 100_000, 1_000_000}) {
            CuckooFilter filter = new CuckooFilter(FilterSizing.plan(FilterType.CUCKOO, capacity));
            SplittableRandom random = new SplittableRandom(SEED + capacity);
            for (int i = 0; i < capacity; i++) {
                assertThat(filter.add(random.nextLong())).isTrue();
            }
            assertThat(filter.stashed()).isZero();
        }
    }

    @Test
    void theBatchFormAgreesWithTheSingleFormAlsoForStashedHashes() {
        CuckooFilter filter = new CuckooFilter(64, 240);
        SplittableRandom random = new SplittableRandom(SEED);
        long[] hashes = random.longs(450).toArray();
        for (int i = 0; i < 400; i++) {
            assertThat(filter.add(hashes[i])).isTrue();
            for (int copies = i % 20 == 0 ? 10 : 0; copies > 0; copies--) {
                assertThat(filter.add(hashes[i])).isTrue();
            }
        }
        assertThat(filter.stashed()).isPositive();
        assertThat(filter.splits()).isPositive();
        for (int size : new int[] {0, 1, 15, 16, 17, 450}) {
            long[] some = Arrays.copyOfRange(hashes, 450 - size, 450);
            boolean[] results = new boolean[size];
            filter.mightContainAll(some, results);
            for (int i = 0; i < size; i++) {
                assertThat(results[i]).isEqualTo(filter.mightContain(some[i]));
            }
        }
    }

    @Test
    void theBatchFormRefusesTooLittleRoomForResults() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CuckooFilter(64, 240).mightContainAll(new long[2], new boolean[1]))
                .withMessage("results must have room for all 2 hashes, but its length was 1");
    }

    @Test
    void showsSizeAndLoadOnly() {
        CuckooFilter filter = new CuckooFilter(64, 240);
        filter.add(123_456_789L);
        assertThat(filter).hasToString("CuckooFilter[entries=1, capacity=240, slots=256, splits=0, stashed=0]");
    }
}

package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DLeftCountingBloomFilterTest {
    private static final long SEED = 20261201;

    /** Only the highest bits count, and all of those do: whoever differs in one is a stranger. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 64, 1_000})
    void whoDiffersInOneBitThatCountsIsAStranger(int buckets) {
        int ignored = 64 - DLeftCountingBloomFilter.countingBits(buckets);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 50; round++) {
            long hash = random.nextLong();
            for (int bit = 0; bit < 64; bit++) {
                assertApart(new DLeftCountingBloomFilter(buckets, 10), hash, hash ^ (1L << bit), bit >= ignored);
            }
        }
    }

    /**
     * Strangers that meet in one bucket of one subtable, with fingerprints there that differ in one bit only, or are 0 or
     * next to it, as an empty cell looks. If a cell did not tell exactly whose it is, a removal would take the other's.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 64, 1_000})
    void strangersInOneBucketAreToldApart(int buckets) {
        int counting = DLeftCountingBloomFilter.countingBits(buckets);
        int ignored = 64 - counting;
        SplittableRandom random = new SplittableRandom(SEED);
        int met = 0;
        for (int subtable = 0; subtable < DLeftCountingBloomFilter.SUBTABLES; subtable++) {
            for (int round = 0; round < 8; round++) {
                long low = round < 4 ? round : random.nextLong(1 << 28);
                long one = random.nextLong(1L << counting) & -(1L << 28) | low;
                for (int bit = 0; bit < 28; bit++) {
                    long other = one ^ (1L << bit);
                    if (UnsignedProduct.reduce(one << ignored, buckets)
                            == UnsignedProduct.reduce(other << ignored, buckets)) {
                        met++;
                        DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(buckets, 10);
                        assertApart(filter, hash(one, subtable, ignored), hash(other, subtable, ignored), true);
                    }
                }
            }
        }
        assertThat(met).isGreaterThan(500);
    }

    /** The hash whose permuted number in a subtable is this. */
    private static long hash(long permuted, int subtable, int ignored) {
        return (permuted << ignored) * inverse(DLeftCountingBloomFilter.multiplier(subtable));
    }

    /** Modulo 2^64, by Newton's iteration, which doubles the right bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    private static void assertApart(DLeftCountingBloomFilter filter, long one, long other, boolean apart) {
        assertThat(filter.mightContain(one)).isFalse();
        assertThat(filter.add(one)).isTrue();
        assertThat(filter.mightContain(one)).isTrue();
        assertThat(filter.mightContain(other)).isEqualTo(!apart);
        if (apart) {
            assertThat(filter.remove(other)).isFalse();
        }
        assertThat(filter.add(other)).isTrue();
        assertThat(filter.remove(one)).isTrue();
        assertThat(filter.mightContain(other)).isTrue();
        assertThat(filter.mightContain(one)).isEqualTo(!apart);
        assertThat(filter.remove(other)).isTrue();
        assertThat(filter.mightContain(one) || filter.mightContain(other)).isFalse();
        assertThat(filter.loads()).containsOnly(0);
    }

    /** Not "at most so many errors", but every single answer: it is an exact multiset of numbers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40})
    void agreesWithAnExactMultisetOfTheBitsThatCount(int buckets) {
        int ignored = 64 - DLeftCountingBloomFilter.countingBits(buckets);
        DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(buckets, buckets * 24L);
        SplittableRandom random = new SplittableRandom(SEED + buckets);
        Map<Long, Integer> exact = new HashMap<>();
        List<Long> held = new ArrayList<>();
        for (int step = 0; step < 40_000; step++) {
            if (random.nextInt(9) < (step / 4_000 % 2 == 0 ? 6 : 3)) {
                long hash = held.isEmpty() || random.nextInt(4) > 0
                        ? random.nextLong()
                        : held.get(random.nextInt(held.size())) ^ random.nextLong(1L << ignored);
                if (exact.getOrDefault(hash >>> ignored, 0) < 14 && filter.add(hash)) {
                    held.add(hash);
                    exact.merge(hash >>> ignored, 1, Integer::sum);
                }
            } else if (!held.isEmpty()) {
                Collections.swap(held, random.nextInt(held.size()), held.size() - 1);
                long hash = held.remove(held.size() - 1);
                assertThat(filter.remove(hash)).isTrue();
                exact.merge(hash >>> ignored, -1, (a, b) -> a + b == 0 ? null : a + b);
            }
            long asked = held.isEmpty() || random.nextBoolean()
                    ? random.nextLong()
                    : held.get(random.nextInt(held.size())) ^ (random.nextBoolean() ? 0 : 1L << random.nextInt(64));
            assertThat(filter.mightContain(asked))
                    .as("step %d, seed %d", step, SEED + buckets)
                    .isEqualTo(exact.containsKey(asked >>> ignored));
            if (step % 500 == 0) {
                assertThat(held).allMatch(filter::mightContain);
                assertThat(Arrays.stream(filter.loads()).sum()).isEqualTo(exact.size());
            }
        }
    }

    @Test
    void fourteenCopiesLeaveAndFifteenStayForGood() {
        for (int copies : new int[] {1, 14, 15, 16, 31, 100}) {
            DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(4, 96);
            SplittableRandom random = new SplittableRandom(SEED);
            long[] neighbours = random.longs(80).toArray();
            for (long neighbour : neighbours) {
                assertThat(filter.add(neighbour)).isTrue();
            }
            for (int i = 0; i < copies; i++) {
                assertThat(filter.add(SEED)).isTrue();
            }
            for (int i = 0; i < copies; i++) {
                assertThat(filter.remove(SEED)).isTrue();
            }
            assertThat(filter.mightContain(SEED)).as("%d copies", copies).isEqualTo(copies >= 15);
            assertThat(Arrays.stream(neighbours)).allMatch(filter::mightContain);
            assertThat(filter.entries()).isEqualTo(80);
        }
    }

    /** The articles' table: half a million entries, left subtables fuller than right ones, and how much fuller. */
    @Test
    void theSubtablesAreAsUnevenAsTheArticlesSay() {
        long[] told = {135_203, 128_226, 122_795, 113_776};
        DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(1 << 15, 500_000);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 500_000; i++) {
            assertThat(filter.add(random.nextLong())).isTrue();
        }
        long[] loads = filter.loads();
        System.out.println("loads of the subtables " + Arrays.toString(loads) + ", told " + Arrays.toString(told));
        for (int t = 0; t < 4; t++) {
            assertThat(loads[t]).isCloseTo(told[t], withinPercentage(1));
        }
    }

    /** At the planned load a full set of buckets is so unlikely that none was seen; refusals begin far above. */
    @Test
    void refusesNobodyUpToItsCapacityAndFarBeyond() {
        for (int capacity : new int[] {1, 24, 1_000, 100_000, 1_000_000}) {
            DLeftCountingBloomFilter filter =
                    new DLeftCountingBloomFilter(FilterSizing.plan(FilterType.D_LEFT_COUNTING_BLOOM, capacity));
            SplittableRandom random = new SplittableRandom(SEED + capacity);
            int accepted = 0;
            while (filter.add(random.nextLong())) {
                accepted++;
            }
            System.out.println("planned for " + capacity + ", the first refusal after " + accepted);
            assertThat(accepted).isGreaterThanOrEqualTo(Math.max(8, (int) (capacity * 1.1)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 40})
    void aThousandRefusalsChangeNothing(int buckets) {
        DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(buckets, buckets * 24L);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Long> held = new ArrayList<>();
        int refused = 0;
        while (refused < 1_000) {
            long hash = random.nextLong();
            if (filter.add(hash)) {
                held.add(hash);
                assertThat(held).hasSizeLessThanOrEqualTo(buckets * 32);
            } else {
                refused++;
                assertThat(filter.mightContain(hash)).isFalse();
            }
        }
        assertThat(held).allMatch(filter::mightContain);
        assertThat(filter.entries()).isEqualTo(held.size());
        assertThat(Arrays.stream(filter.loads()).sum()).isEqualTo(held.size());
    }

    @Test
    void showsSizeAndLoadOnly() {
        DLeftCountingBloomFilter filter = new DLeftCountingBloomFilter(10, 240);
        filter.add(123_456_789);
        assertThat(filter).hasToString("DLeftCountingBloomFilter[entries=1, capacity=240, cells=320]");
    }
}

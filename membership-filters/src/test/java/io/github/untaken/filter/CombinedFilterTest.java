package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Estimates, union and intersection of the filters made of single bits. */
class CombinedFilterTest {
    private static final long SEED = 20261128;
    private static final int MANY = 100_000;

    /** Makes empty filters of one shape. */
    interface Shape {
        CombinableMembershipFilter empty(long expectedEntries);
    }

    private record Named(String name, Shape shape) implements Shape {
        @Override
        public CombinableMembershipFilter empty(long expectedEntries) {
            return shape.empty(expectedEntries);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Shape> shapes() {
        return Stream.of(
                new Named("Bloom, 10 probes", n -> MembershipFilters.bloom(n, 0.001)),
                new Named("Bloom, 1 probe", n -> MembershipFilters.bloom(n, 0.4)),
                new Named("blocked, 8 probes", n -> MembershipFilters.blockedBloom(n, 0.001)),
                new Named("blocked, 16 probes", n -> MembershipFilters.blockedBloom(n, 1e-6)));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void tellsHowManyDifferentEntriesItHas(Shape shape) {
        CombinableMembershipFilter filter = shape.empty(MANY);
        assertThat(filter.estimatedEntries()).isZero();
        long[] hashes = hashes(1, 2 * MANY);
        int added = 0;
        for (int until : new int[] {1, 100, 10_000, MANY, 2 * MANY}) {
            for (; added < until; added++) {
                filter.add(hashes[added]);
                filter.add(hashes[added]);
            }
            assertThat(filter.estimatedEntries())
                    .as("of %d", until)
                    .isCloseTo(until, offset(0.03 + 0.01 * until + 4 * Math.sqrt(until) * 0.1));
            assertThat(filter.entries()).isEqualTo(2L * until);
        }
    }

    @Test
    void aTableWithoutAZeroSaysThatItCannotTell() {
        CombinableMembershipFilter filter = MembershipFilters.bloom(1, 0.5);
        Arrays.stream(hashes(2, 5_000)).forEach(filter::add);
        assertThat(filter.estimatedEntries()).isInfinite().isPositive();
        assertThat(filter.estimatedIntersection(filter)).isNaN();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theUnionIsBitForBitTheFilterOfAllEntries(Shape shape) {
        long[] hashes = hashes(3, MANY);
        CombinableMembershipFilter left = filled(shape, hashes, 0, MANY * 6 / 10);
        CombinableMembershipFilter right = filled(shape, hashes, MANY * 4 / 10, MANY);
        CombinableMembershipFilter all = filled(shape, hashes, 0, MANY);

        CombinableMembershipFilter union = left.union(right);

        assertThat(answers(union, hashes)).isEqualTo(answers(all, hashes));
        long[] strangers = hashes(4, 200_000);
        assertThat(answers(union, strangers)).isEqualTo(answers(all, strangers));
        assertThat(union.estimatedEntries()).isEqualTo(all.estimatedEntries());
        assertThat(union.entries()).isEqualTo(MANY * 12 / 10);
        assertThat(union.capacity()).isEqualTo(MANY);
        assertThat(left.estimatedUnion(right)).isEqualTo(union.estimatedEntries());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theIntersectionHoldsTheCommonEntriesAndErrsBetweenTheTwoAndTheirCommonPart(Shape shape) {
        long[] hashes = hashes(5, MANY);
        CombinableMembershipFilter left = filled(shape, hashes, 0, MANY * 6 / 10);
        CombinableMembershipFilter right = filled(shape, hashes, MANY * 4 / 10, MANY);
        CombinableMembershipFilter common = filled(shape, hashes, MANY * 4 / 10, MANY * 6 / 10);

        CombinableMembershipFilter both = left.intersection(right);

        for (int i = MANY * 4 / 10; i < MANY * 6 / 10; i++) {
            assertThat(both.mightContain(hashes[i])).isTrue();
        }
        long[] strangers = hashes(6, 1_000_000);
        int rate = count(both, strangers);
        assertThat(rate).isGreaterThanOrEqualTo(count(common, strangers));
        assertThat(rate).isLessThanOrEqualTo(Math.min(count(left, strangers), count(right, strangers)));
        assertThat(both.entries()).isEqualTo(MANY * 6 / 10);
        assertThat(left.estimatedIntersection(right)).isCloseTo(MANY * 0.2, withinPercentage(3));
        assertThat(left.estimatedUnion(right)).isCloseTo(MANY, withinPercentage(1));
    }

    /** The articles say so: OR loses nothing, AND does. */
    @Test
    void theIntersectionErrsMoreThanAFilterOfTheCommonEntries() {
        Shape shape = n -> MembershipFilters.bloom(n, 0.01);
        long[] hashes = hashes(7, MANY);
        CombinableMembershipFilter both =
                filled(shape, hashes, 0, MANY * 6 / 10).intersection(filled(shape, hashes, MANY * 4 / 10, MANY));
        CombinableMembershipFilter common = filled(shape, hashes, MANY * 4 / 10, MANY * 6 / 10);
        long[] strangers = hashes(8, 2_000_000);
        assertThat(count(both, strangers)).isGreaterThan(2 * count(common, strangers));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void neitherSideChanges(Shape shape) {
        long[] hashes = hashes(9, 2_000);
        CombinableMembershipFilter left = filled(shape, hashes, 0, 500);
        CombinableMembershipFilter right = filled(shape, hashes, 500, 1_000);
        CombinableMembershipFilter union = left.union(right);
        boolean[] before = answers(left, hashes);
        double estimate = left.estimatedEntries();

        Arrays.stream(hashes, 1_000, 2_000).forEach(union::add);
        left.intersection(right);

        assertThat(answers(left, hashes)).isEqualTo(before);
        assertThat(left.estimatedEntries()).isEqualTo(estimate);
        assertThat(Arrays.stream(hashes)).allMatch(union::mightContain);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void filtersOfAnotherShapeAreRefused(Shape shape) {
        CombinableMembershipFilter filter = shape.empty(1_000);
        for (CombinableMembershipFilter other : new CombinableMembershipFilter[] {
            shape.empty(2_000), MembershipFilters.bloom(1_000, 1e-9), MembershipFilters.blockedBloom(1_000, 1e-9)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> filter.union(other))
                    .withMessageStartingWith("other must ")
                    .withMessageContaining(" bits");
            assertThatIllegalArgumentException().isThrownBy(() -> filter.intersection(other));
            assertThatIllegalArgumentException().isThrownBy(() -> filter.estimatedUnion(other));
            assertThatIllegalArgumentException().isThrownBy(() -> filter.estimatedIntersection(other));
        }
    }

    @Test
    void aRefusalNamesBothShapes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MembershipFilters.bloom(1_000, 0.01).union(MembershipFilters.bloom(1_000, 0.001)))
                .withMessage(
                        "other must have the shape of this filter to be combined with it: this is BLOOM of 9600 bits"
                                + " and 7 probes, other is BLOOM of 14400 bits and 10 probes; make both for the same"
                                + " expectedEntries and targetErrorRate by the same factory");
        // Equal bits, unequal probes: the bits mean something else.
        CombinableMembershipFilter seven = new BloomFilter(shape(6_400, 7));
        CombinableMembershipFilter six = new BloomFilter(shape(6_400, 6));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> seven.union(six))
                .withMessageContaining("7 probes")
                .withMessageContaining("6 probes");
    }

    @Test
    void filtersUnderDifferentHashersAreRefused() {
        KeyHasher one = KeyHasher.of(1, 2);
        KeyHasher another = KeyHasher.of(1, 3);
        CombinableMembershipFilter filter = MembershipFilters.bloom(1_000, 0.01, one);
        filter.add(one.hash("alice"));
        CombinableMembershipFilter same = MembershipFilters.bloom(1_000, 0.01, KeyHasher.of(1, 2));
        assertThat(filter.union(same).mightContain(one.hash("alice"))).isTrue();
        assertThat(filter.union(same).union(filter).entries()).isEqualTo(2);
        for (CombinableMembershipFilter other : new CombinableMembershipFilter[] {
            MembershipFilters.bloom(1_000, 0.01, another), MembershipFilters.bloom(1_000, 0.01)
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> filter.union(other))
                    .withMessageStartingWith("other must have the KeyHasher of this filter");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MembershipFilters.blockedBloom(10, 0.01, one)
                        .intersection(MembershipFilters.blockedBloom(10, 0.01, another)));
    }

    private static FilterSizing shape(long bits, int probes) {
        return new FilterSizing(FilterType.BLOOM, 1_000, 0.01, bits, probes, 0.01);
    }

    private static CombinableMembershipFilter filled(Shape shape, long[] hashes, int from, int to) {
        CombinableMembershipFilter filter = shape.empty(MANY);
        Arrays.stream(hashes, from, to).forEach(filter::add);
        return filter;
    }

    private static boolean[] answers(MembershipFilter filter, long[] hashes) {
        boolean[] answers = new boolean[hashes.length];
        filter.mightContainAll(hashes, answers);
        return answers;
    }

    private static int count(MembershipFilter filter, long[] hashes) {
        int count = 0;
        for (boolean answer : answers(filter, hashes)) {
            count += answer ? 1 : 0;
        }
        return count;
    }

    private static long[] hashes(long purpose, int count) {
        return new SplittableRandom(SEED * 31 + purpose).longs(count).toArray();
    }
}

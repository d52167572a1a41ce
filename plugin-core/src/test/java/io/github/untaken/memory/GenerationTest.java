package io.github.untaken.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Seed;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import java.util.BitSet;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** It only grows, and nobody need know whether a name was there. */
class GenerationTest {
    private static final Fold NO_CASE = new Letters("of A alone", Map.of((int) 'A', "a"));
    private static final long SEED = Seed.of(GenerationTest.class, 20261122);

    private static Generation of(FilterType type, long planned, int maxOverflow) {
        return new Generation(
                NO_CASE,
                KeyHasher.of(SEED, 2),
                MembershipFilters.of(type, planned),
                new Generation.Limits(100, 100, maxOverflow));
    }

    @Test
    void whatIsToldAgainStoresNothing() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        for (int i = 0; i < 10_000; i++) {
            assertThat(generation.add("alice")).isTrue();
        }
        assertThat(generation.entries()).isEqualTo(1);
        assertThat(generation.isOutgrown()).isFalse();
    }

    /** Such a text is hashed without being folded, unless the database holds two plain letters equal. */
    @Test
    void aPlainTextIsLookedUpByItsFoldWhereOneOfItsLettersIsHeldEqualToAnother() {
        Generation generation = new Generation(
                new Letters("y is u", Map.of((int) 'y', "u")),
                KeyHasher.of(SEED, 2),
                MembershipFilters.of(FilterType.CUCKOO, 1_000),
                new Generation.Limits(100, 100, 100));
        assertThat(generation.add("tur")).isTrue();
        assertThat(generation.decider("tyr", "tyr", true, false)).isNull();
        assertThat(generation.add("bytes")).isTrue();
        assertThat(generation.decider("bytes", "bytes", true, false)).isNull();
        assertThat(generation.decider("tar", "tar", true, false)).isEqualTo(DecidedBy.FILTER);
    }

    /** Also of names that were never added, for an addition that stored nothing has seen one of those. */
    @ParameterizedTest
    @EnumSource(FilterType.class)
    void onceMaybeIsAlwaysMaybe(FilterType type) {
        Generation generation = of(type, 1_000, 50);
        BitSet maybe = new BitSet();
        SplittableRandom random = new SplittableRandom(SEED);
        int refused = 0;
        for (int i = 0; i < 9_000; i++) {
            int added = random.nextInt(20_000);
            if (generation.add("name" + added)) {
                maybe.set(added);
            } else {
                refused++;
            }
            if (i % 300 == 0) {
                for (int name = 0; name < 20_000; name++) {
                    boolean now = generation.mightContain("name" + name);
                    assertThat(now || !maybe.get(name))
                            .as("name%d after %d additions, seed %d", name, i, SEED)
                            .isTrue();
                    maybe.set(name, now);
                }
            }
        }
        assertThat(refused).as("of 9,000").isLessThan(9_000);
    }

    @Test
    void whatFindsNoRoomAnywhereIsRefusedAndWhatIsThereIsNot() {
        Generation generation = of(FilterType.CUCKOO, 10, 5);
        int added = 0;
        while (added < 1_000_000 && generation.add("name" + added)) {
            added++;
        }
        assertThat(added).as("the filter grows to eight times its size").isLessThan(100_000);
        for (int i = 0; i < added; i++) {
            assertThat(generation.add("name" + i)).isTrue();
            assertThat(generation.mightContain("name" + i)).isTrue();
        }
        assertThat(generation.isOutgrown()).isTrue();
    }

    @Test
    void aBatchFindsWhatTheFilterHadNoRoomFor() {
        Generation generation = new Generation(
                Letters.none(""),
                KeyHasher.of(SEED, 2),
                CoarseFilter.of(MembershipFilters.of(FilterType.CUCKOO, 100), 20, 0),
                new Generation.Limits(100, 100, 10));
        assertThat(generation.add("alice")).isTrue();
        boolean[] maybe = new boolean[2];
        generation.mightContainAll(new long[] {generation.hash("alice"), generation.hash("bob")}, maybe);
        assertThat(maybe).containsExactly(true, false);
        assertThat(generation.isOutgrown()).as("a larger filter is due").isTrue();
    }

    @Test
    void anAbsenceThatTheFilterKnowsNeedsNoEntry() {
        Generation generation = of(FilterType.CUCKOO, 100, 10);
        generation.learnAbsence("bob");
        assertThat(generation.whitelisted()).isZero();
        generation.add("alice");
        generation.learnAbsence("alice");
        assertThat(generation.mayHave("alice")).isFalse();
    }

    @Test
    void remembersWhatIsStoredInAnotherSpelling() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        assertThat(generation.add("alice")).isTrue();
        assertThat(generation.hasVariant("alice")).isFalse();
        generation.noteVariant("alice");
        generation.noteVariant("bob");
        assertThat(generation.hasVariant("alice")).isTrue();
        assertThat(generation.hasVariant("bob")).isTrue();
        assertThat(generation.mightContain("bob")).isFalse();
        assertThat(generation.hasVariant("carol")).isFalse();
        assertThat(generation.variants()).isEqualTo(2);
    }

    @Test
    void whatItWasToldOfIsNotLearnt() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        generation.add("alice");
        generation.learnAbsence("Alice");
        assertThat(generation.mayHave("Alice")).isFalse();
        assertThat(generation.mayHave("alice")).as("another spelling").isTrue();
        assertThat(generation.wantsRenewal()).isFalse();
        assertThat(generation.tell("alice")).isTrue();
        assertThat(generation.mayHave("Alice")).isTrue();
        generation.learnAbsence("Alice");
        assertThat(generation.mayHave("Alice")).isTrue();
        assertThat(generation.wantsRenewal())
                .as("a name was told and is not there")
                .isTrue();
    }

    @Test
    void theRenewedSharesWhatIsStoredAndNothingElse() {
        Generation serving = of(FilterType.CUCKOO, 1_000, 100);
        serving.add("alice");
        serving.noteVariant("alice");
        serving.learnAbsence("alice");
        serving.tell("bob");
        Generation renewed = serving.renewed();
        assertThat(renewed.mightContain("bob")).isTrue();
        assertThat(renewed.hasVariant("alice")).isTrue();
        assertThat(renewed.wasTold("bob")).isFalse();
        assertThat(renewed.mayHave("alice")).isTrue();
        assertThat(renewed.tell("carol")).isTrue();
        assertThat(serving.mightContain("carol")).as("told of once for both").isTrue();
        assertThat(serving.wasTold("carol")).isFalse();
    }

    @Test
    void wantsToBeRenewedWhenItWasToldOfHalfOfWhatItCanHold() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        for (int i = 0; i < 50; i++) {
            assertThat(generation.tell("name" + i)).isTrue();
        }
        assertThat(generation.wantsRenewal()).isFalse();
        assertThat(generation.tell("one more")).isTrue();
        assertThat(generation.wantsRenewal()).isTrue();
    }

    @Test
    void whatIsToldOfTooMuchLearnsNothingMore() {
        Generation generation = of(FilterType.CUCKOO, 1_000, 100);
        for (int i = 0; i < 101; i++) {
            assertThat(generation.tell("name" + i)).isTrue();
        }
        assertThat(generation.add("alice")).isTrue();
        generation.learnAbsence("alice");
        assertThat(generation.mayHave("alice")).isTrue();
        assertThat(generation.mightContain("name100")).isTrue();
    }
}

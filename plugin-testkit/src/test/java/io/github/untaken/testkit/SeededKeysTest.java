package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeededKeysTest {
    @Test
    void oneSeedGivesTheSameKeysEachTimeAndAnotherSeedOthers() {
        List<String> names = SeededKeys.of(1).usernames(1_000);
        assertThat(SeededKeys.of(1).usernames(1_000)).isEqualTo(names);
        assertThat(SeededKeys.of(2).usernames(1_000)).doesNotContainAnyElementsOf(names);
    }

    @Test
    void noKeyComesTwice() {
        SeededKeys keys = SeededKeys.of(7);
        Set<String> seen = new HashSet<>(keys.usernames(100_000));
        seen.addAll(keys.usernames(50_000));
        seen.addAll(keys.phones(150_000));
        assertThat(seen).hasSize(300_000);
    }

    @Test
    void keysLookLikeWhatPeopleChoose() {
        for (long seed : new long[] {0, -1, Long.MIN_VALUE, 20261121}) {
            SeededKeys keys = SeededKeys.of(seed);
            assertThat(keys.usernames(10_000)).allMatch(name -> name.matches("[a-z][a-z0-9]{7,19}"));
            assertThat(keys.phones(10_000)).allMatch(phone -> phone.matches("\\+[1-9][0-9]{10,12}"));
        }
    }

    @Test
    void namesHaveAllLengthsFromEightToTwenty() {
        assertThat(SeededKeys.of(3).usernames(10_000).stream()
                        .map(String::length)
                        .distinct())
                .hasSize(13);
    }
}

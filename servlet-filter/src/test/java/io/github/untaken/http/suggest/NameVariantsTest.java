package io.github.untaken.http.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameVariantsTest {
    private static final UsernameNormalizer RULES = UsernameNormalizer.defaults();

    private static List<String> variants(String name, int year) {
        List<String> variants = new ArrayList<>();
        NameVariants.of(name, year).forEach(variants::add);
        return variants;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice",
                "a",
                "anna.maria_smith",
                "\u5f20\u4e09",
                "\u674e",
                "x-y",
                "...",
                "\ud83d\ude00",
                "user2026",
                "007",
                "abcdefghijklmnopqrstuvwxyz012345",
                "\u03b1\u03bb\u03ad\u03be\u03b1\u03bd\u03b4\u03c1\u03bf\u03c3",
                "\u0645\u062d\u0645\u062f",
                "the"
            })
    void thereAreFiftyForEveryName(String name) {
        List<String> variants = variants(name, 2026);
        assertThat(variants)
                .hasSizeGreaterThanOrEqualTo(NameVariants.FEWEST)
                .doesNotHaveDuplicates()
                .doesNotContain(name);
        assertThat(variants(name, 2026)).isEqualTo(variants);
    }

    @Test
    void partsAreSwappedAndJoinedOtherwise() {
        assertThat(variants("anna.smith", 2026))
                .contains("annasmith", "anna_smith", "smith.anna", "smithanna", "asmith", "annas", "a.smith")
                .contains("anna.smith2026", "anna.smith_26", "anna.smith.here", "the.anna.smith");
        assertThat(variants("alice", 2003))
                .contains("alice2003", "alice03", "alice_03", "thealice", "alicehq", "alice.k");
        assertThat(variants("alice", 2000)).contains("alice00");
    }

    @Test
    void aNumberTakesThePlaceOfTheOneThereWas() {
        assertThat(variants("alice99", 2026)).contains("alice26", "alicehq").allMatch(name -> !name.contains("99"));
        assertThat(variants("alice_", 2026)).contains("alicehq");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice",
                "anna.smith",
                "\u5f20\u4e09",
                "abcdefghijklmnopqrstuvwxyz012345",
                "\u0438\u0432\u0430\u043d",
                "\u03bc\u03b1\u03c1\u03af\u03b1",
                "\u3086\u304d",
                "\u660e\u7f8e\u3061\u3083\u3093",
                "\ubc15\uc9c0\ubbfc",
                "\u0645\u062d\u0645\u062f",
                "\u0e2a\u0e21\u0e0a\u0e32\u0e22",
                "\u5c0f\u660ealice"
            })
    void theRulesForUserNamesAcceptThem(String name) {
        ReservedNames reserved = ReservedNames.defaults().folded(RULES);
        assertThat(variants(name, 2026)).allSatisfy(variant -> {
            assertThat(RULES.rejection(variant, RULES.key(variant))).isEmpty();
            assertThat(reserved.contains(RULES.key(variant))).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "alice, LATIN",
        "007, OTHER",
        "\u0438\u0432\u0430\u043d_7, CYRILLIC",
        "\u5f20\u4e09, HAN",
        "\u5c0f\u660ealice, HAN",
        "alice\u5c0f\u660e, HAN",
        "\u660e\u7f8e\u3061\u3083\u3093, KANA",
        "\u91d1\ubc15, HANGUL",
        "kim\ubc15, HANGUL",
        "\u0645\u062d\u0645\u062f, OTHER"
    })
    void theWordsAreOfTheScriptOfTheName(String name, NameWords words) {
        assertThat(NameWords.of(name)).isEqualTo(words);
    }

    @Test
    void numbersAndWordsDifferFromNameToName() {
        Set<String> ofAlice = new LinkedHashSet<>(variants("alice", 2026));
        List<String> ofElise = variants("elise", 2026);
        long alike = ofElise.stream()
                .filter(variant -> ofAlice.contains(variant.replace("elise", "alice")))
                .count();
        assertThat(alike).isLessThan(ofElise.size() - 12);
        assertThat(List.of("alice", "elise", "carol", "dave", "erin").stream()
                        .map(name -> variants(name, 2026).get(0).substring(name.length()))
                        .distinct()
                        .count())
                .isGreaterThan(2);
    }
}

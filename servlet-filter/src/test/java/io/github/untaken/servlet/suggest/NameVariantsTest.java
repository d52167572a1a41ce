package io.github.untaken.servlet.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.UsernameNormalizer;
import java.util.ArrayList;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameVariantsTest {

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
                "abcdefghijklmnopqrstuvwxyz012345",
                "\u0391\u03bb\u03ad\u03be\u03b1\u03bd\u03b4\u03c1\u03bf\u03c2",
                "the"
            })
    void thereAreFiftyForEveryName(String name) {
        Set<String> variants = NameVariants.of(name, 2026);
        assertThat(variants).hasSizeGreaterThanOrEqualTo(50).doesNotContain(name);
        assertThat(NameVariants.of(name, 2026)).containsExactlyElementsOf(variants);
    }

    @Test
    void partsAreSwappedAndJoinedOtherwise() {
        assertThat(NameVariants.of("anna.smith", 2026))
                .contains(
                        "annasmith",
                        "anna_smith",
                        "smith.anna",
                        "smithanna",
                        "asmith",
                        "annas",
                        "anna.smith2026",
                        "anna.smith_26")
                .doesNotContain("anna.smith");
        assertThat(NameVariants.of("alice", 2003)).contains("alice2003", "alice03", "alice_03", "thealice", "alicehq");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "anna.smith", "\u5f20\u4e09", "abcdefghijklmnopqrstuvwxyz012345"})
    void theRulesForUserNamesAcceptMostOfThem(String name) {
        UsernameNormalizer rules = UsernameNormalizer.defaults();
        Set<String> accepted = NameVariants.of(name, 2026).stream()
                .filter(variant -> rules.rejection(variant, rules.key(variant)).isEmpty())
                .collect(Collectors.toSet());
        assertThat(accepted).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void numbersDifferFromNameToName() {
        ArrayList<String> ofAlice = new ArrayList<>(NameVariants.of("alice", 2026));
        long alike = NameVariants.of("elise", 2026).stream()
                .filter(variant -> ofAlice.contains(variant.replace("elise", "alice")))
                .count();
        assertThat(alike).isLessThan(ofAlice.size() - 12);
    }
}

package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Seed;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsernameNormalizerTest {
    private static final long SEED = Seed.of(UsernameNormalizerTest.class, 0x5EED_A5C1L);

    private static final UsernameNormalizer NAMES = UsernameNormalizer.defaults();

    static List<List<String>> spellingsOfOneName() {
        return List.of(
                List.of("alice", "Alice", "ALICE", "\uFF21\uFF4C\uFF49\uFF43\uFF45", "\uD835\uDC1Alice", "\u24B6lice"),
                List.of("office", "o\uFB03ce", "O\uFB00ICE"), // ligatures
                List.of("zo\u00EB", "zoe\u0308", "ZO\u00CB", "ZOE\u0308"),
                List.of("\u1EA1\u0307b", "a\u0323\u0307b", "a\u0307\u0323b"), // the order of marks
                List.of("istanbul", "\u0130stanbul", "ISTANBUL", "I\u0307stanbul", "i\u0307stanbul", "\u0131stanbul"),
                List.of("\u03BF\u03B4\u03BF\u03C3", "\u03BF\u03B4\u03BF\u03C2", "\u039F\u0394\u039F\u03A3"), // sigmas
                List.of("\u0432\u043E\u0432\u0430", "\u1C80\u1C82\u1C80\u0410"), // historic Cyrillic
                List.of("kelvin", "\u212Aelvin"),
                List.of("sam", "\u017Fam"), // long s
                List.of("stra\u00DFe", "STRA\u1E9EE"), // sharp s
                List.of("\uAC00\uB098", "\u1100\u1161\u1102\u1161"), // Hangul syllables and their letters
                List.of("\u30AC\u30AE\u30B0", "\uFF76\uFF9E\uFF77\uFF9E\uFF78\uFF9E"), // half-width kana
                List.of("\u6A02\u6A02", "\uF914\uF914")); // a Han character and its compatibility twin
    }

    @ParameterizedTest
    @MethodSource("spellingsOfOneName")
    void givesEverySpellingOneKey(List<String> spellings) {
        assertThat(spellings).extracting(NAMES::key).containsOnly(spellings.get(0));
    }

    @ParameterizedTest
    @MethodSource("spellingsOfOneName")
    void givesTheSameKeysInTurkish(List<String> spellings) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(spellings).extracting(NAMES::key).containsOnly(spellings.get(0));
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "stra\u00DFe,strasse",
        "zoe,zo\u00EB",
        "alice,alice\u200B",
        "a.b,ab",
        "\u0430\u0440\u0430,apa",
        "alice,'alice '"
    })
    void leavesOtherNamesApart(String one, String other) {
        assertThat(NAMES.key(one)).isNotEqualTo(NAMES.key(other));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice",
                "a.b",
                "x_-y",
                "007",
                "zo\u00EB",
                "\u5F20\u4F1F",
                "\u5F20a",
                "\u4F1F",
                "\uD842\uDFB7",
                "\uC194",
                "\u1109\u1169\u11AF",
                "\u3086\u304D",
                "\u05D3\u05DF",
                "\u0645\u064A",
                "\u091C\u092F",
                "\u0E1A\u0E35",
                "\u1208\u121B",
                "\u30E6\u30FC\u30B6\u30FC",
                "\uAE40\uCCA0",
                "\u3007\u4E8C",
                "\u0645\u062D\u0645\u062F",
                "\u0E2A\u0E21\u0E0A\u0E32\u0E22",
                "\u0928\u092E\u0938\u094D\u0924\u0947",
                "\u0661\u0662\u0663",
                "A\u0336b\u0336c",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345",
                "\uD842\uDFB7\uD842\uDFB7",
            })
    void acceptsNamesOfManyScripts(String text) {
        assertThat(rejection(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',too_short",
        "ab,too_short",
        "\u3042,too_short",
        "\u1100,too_short",
        "\u4e00,too_short",
        "\u3005,too_short",
        "\u3007,too_short",
        "\u05d3,too_short",
        "\u10d8\u10d0,too_short",
        "\u044f\u043d,too_short",
        "abcdefghijklmnopqrstuvwxyz0123456,too_long",
        "'a b c',illegal_character",
        "'abc ',illegal_character",
        "a@b.c,illegal_character",
        "'abc\u0000',illegal_character",
        "'abc\u0085',illegal_character",
        "abc\u200Bd,illegal_character",
        "abc\u200Dd,illegal_character",
        "abc\u00ADd,illegal_character",
        "abc\u202Ed,illegal_character",
        "abc\u2066d,illegal_character",
        "abc\uFEFFd,illegal_character",
        "abc\uD800,illegal_character",
        "\uDC00abc,illegal_character",
        "abc\uE000,illegal_character",
        "abc\uFFFE,illegal_character",
        "abc\u0378,illegal_character",
        "abc\uD83D\uDE00,illegal_character",
        "abc\u2603,illegal_character",
        "abc\u3164,illegal_character",
        "abc\uFE0F,illegal_character",
        "abc\u034F,illegal_character",
        "abc\u20DD,illegal_character",
        "\u0301abc,illegal_character",
        "ab1\u0301,illegal_character",
        "ab_\u0301c,illegal_character",
        "abq\u0301\u0302\u0303\u0304\u0306,illegal_character",
        ".ab,illegal_edge",
        "ab-,illegal_edge",
        "_,illegal_edge",
    })
    void refusesWithACode(String text, String code) {
        assertThat(rejection(text)).contains(code);
    }

    @Test
    void measuresTheKeyAndNotWhatWasTyped() {
        assertThat(rejection("\uFB03")).as("one ligature of three letters").isEmpty();
        assertThat(rejection("a".repeat(31) + "\uFB03")).contains("too_long");
        assertThat(rejection("\uD842\uDFB7".repeat(32)))
                .as("32 characters of two units")
                .isEmpty();
        assertThat(rejection("\uD842\uDFB7".repeat(33))).contains("too_long");
        assertThat(rejection("\uFDFA")).as("one character that holds spaces").contains("illegal_character");
    }

    @Test
    void refusesNothingByChanceThatTheKeyHides() {
        // Whatever single code point goes in, what is accepted is made of nothing but allowed characters.
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String text = "ab" + Character.toString(c) + "cd";
            String key = NAMES.key(text);
            if (NAMES.rejection(text, key).isEmpty()) {
                assertThat(key.codePoints().allMatch(UsernameNormalizer.defaultCharacters()::test))
                        .isTrue();
                assertThat(key.codePoints()
                                .noneMatch(k -> Character.isSpaceChar(k)
                                        || Character.isISOControl(k)
                                        || Character.getType(k) == Character.FORMAT
                                        || !Character.isDefined(k)))
                        .as("U+%04X", c)
                        .isTrue();
            }
        }
    }

    @Test
    void takesAnotherPolicy() {
        UsernameNormalizer plain = UsernameNormalizer.builder()
                .length(1, 5)
                .characters(c -> (c >= 'a' && c <= 'z') || c == ' ')
                .edges(c -> c != ' ')
                .build();
        assertThat(plain.rejection("X", plain.key("X"))).isEmpty();
        assertThat(plain.rejection("x y", "x y")).isEmpty();
        assertThat(plain.rejection("x ", "x ")).contains("illegal_edge");
        assertThat(plain.rejection("x1", "x1")).contains("illegal_character");
        assertThat(plain.rejection("abcdef", "abcdef")).contains("too_long");
        assertThat(plain.key("ALICE")).isEqualTo("alice");
    }

    @Test
    void refusesControlsAndHalfCharactersWhateverThePolicySays() {
        UsernameNormalizer all =
                UsernameNormalizer.builder().characters(c -> true).build();
        assertThat(all.rejection("abc\u0000", "abc\u0000")).contains("illegal_character");
        assertThat(all.rejection("abc\uD800", "abc\uD800")).contains("illegal_character");
        assertThat(all.rejection("abc\uD83D\uDE00", "abc\uD83D\uDE00")).isEmpty();
    }

    @Test
    void buildsUponTheDefaultCharacters() {
        UsernameNormalizer catalan = UsernameNormalizer.builder()
                .characters(UsernameNormalizer.defaultCharacters().or(c -> c == '\u00B7'))
                .build();
        assertThat(catalan.rejection("paral\u00B7lel", "paral\u00B7lel")).isEmpty();
        assertThat(rejection("paral\u00B7lel")).contains("illegal_character");
    }

    @ParameterizedTest
    @CsvSource({"0,32", "-1,5", "5,4", "1,1001"})
    void refusesSenselessLengths(int least, int greatest) {
        assertThatThrownBy(() -> UsernameNormalizer.builder().length(least, greatest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("least")
                .hasMessageContaining(least + " to " + greatest);
    }

    @Test
    void allocatesNothingForANameThatIsItsOwnKey() {
        List<String> texts =
                List.of("alice.smith_01", "\u5F20\u4F1F\u674E\u5A1C", "\u0430\u043D\u043D\u0430", "ren\u00E9");
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int n = 0; n < 1000; n++) {
                for (int t = 0; t < 4; t++) {
                    String text = texts.get(t);
                    if (NAMES.rejection(text, NAMES.key(text)).isPresent()) {
                        throw new AssertionError("refused");
                    }
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes for 4,000 names").isLessThan(1000);
    }

    /** Texts of few characters, so that each rule is broken often: capitals, edges, signs, controls, and some beyond ASCII. */
    @Test
    void acceptsAtAGlanceNothingThatTheRulesWouldChangeOrRefuse() {
        String characters = "ablzAZ09._- @'\u0000\u007f\u0080\u00b7\u00ea\u0131\u200c\u2019\uff41\ud800";
        List<UsernameNormalizer> policies = List.of(
                NAMES,
                UsernameNormalizer.builder().length(1, 4).build(),
                UsernameNormalizer.builder().characters(c -> true).build(),
                UsernameNormalizer.builder().edges(c -> c != 'a').build(),
                UsernameNormalizer.builder()
                        .characters(c -> c < 'm')
                        .edges(c -> true)
                        .build(),
                UsernameNormalizer.builder().apostrophes(true).build(),
                UsernameNormalizer.builder()
                        .apostrophes(true)
                        .accentInsensitive()
                        .build(),
                UsernameNormalizer.builder()
                        .apostrophes(true)
                        .ascii()
                        .edges(c -> true)
                        .build());
        SplittableRandom random = new SplittableRandom(SEED);
        int accepted = 0;
        for (int n = 0; n < 200_000; n++) {
            int kinds = random.nextInt(1, characters.length() + 1);
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(7); left > 0; left--) {
                text.append(characters.charAt(random.nextInt(kinds)));
            }
            UsernameNormalizer policy = policies.get(random.nextInt(policies.size()));
            if (policy.acceptsAsIs(text.toString())) {
                accepted++;
                assertThat(policy.key(text.toString())).isEqualTo(text.toString());
                assertThat(policy.rejection(text.toString(), text.toString())).isEmpty();
            }
        }
        assertThat(accepted).isGreaterThan(10_000);
    }

    @Test
    void acceptsTheUsualNameAtAGlance() {
        assertThat(NAMES.acceptsAsIs("alice.smith_01")).isTrue();
    }

    private static Optional<String> rejection(String text) {
        return NAMES.rejection(text, NAMES.key(text));
    }
}

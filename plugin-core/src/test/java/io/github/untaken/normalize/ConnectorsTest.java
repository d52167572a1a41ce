package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.ibm.icu.text.UnicodeSet;
import io.github.untaken.Seed;
import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand between two letters alone. The rules of the annex are written once more, as it has them, on the properties of ICU. */
class ConnectorsTest {
    private static final long SEED = Seed.of(ConnectorsTest.class, 0x5EED_C011L);

    private static final UsernameNormalizer NAMES = UsernameNormalizer.defaults();
    private static final UsernameNormalizer WITH_APOSTROPHES =
            UsernameNormalizer.builder().apostrophes(true).build();

    private static final String LETTER = set("[:L:]");
    private static final String MARK = set("[:Mn:]");
    private static final String MOVING_MARK = set("[[:Mn:]-[:ccc=0:]]");
    private static final String VIRAMA = set("[:ccc=9:]");
    private static final Pattern A1 = Pattern.compile(set("[[:jt=L:][:jt=D:]]") + set("[:jt=T:]") + "*(\u200c)"
            + set("[:jt=T:]") + "*" + set("[[:jt=R:][:jt=D:]]"));
    private static final Pattern A2 =
            Pattern.compile(LETTER + MARK + "*" + VIRAMA + MOVING_MARK + "*(\u200c)" + MOVING_MARK + "*" + LETTER);
    private static final Pattern B = Pattern.compile(
            LETTER + MARK + "*" + VIRAMA + MOVING_MARK + "*(\u200d)(?!" + set("[:InSC=Vowel_Dependent:]") + ")");

    /** As a class of characters that Java knows. */
    private static String set(String pattern) {
        StringBuilder ranges = new StringBuilder("[");
        for (UnicodeSet.EntryRange range : new UnicodeSet(pattern).ranges()) {
            ranges.append(String.format("\\x{%x}-\\x{%x}", range.codepoint, range.codepointEnd));
        }
        return ranges.append(']').toString();
    }

    @Test
    void aJoinerThatIsAcceptedIsOneThatTheAnnexAllows() {
        String alphabet =
                "\u200c\u200c\u200d\u200d\u0628\u0631\u062f\u06cc\u0647\u0627\u0621\u0640\u064e\u0915\u0930\u0937\u093c\u094d\u094d\u093f"
                        + "\u0c1c\u0c15\u0c4d\u0d15\u0d4d\u09b0\u09cd\u0dc1\u0dbb\u0dca\u0dca\u0dd3\u0b95\u0bcd\u0f42\u0f0b\u0f72aladmin'.";
        SplittableRandom random = new SplittableRandom(SEED);
        int accepted = 0;
        for (int n = 0; n < 400_000; n++) {
            int from = random.nextInt(alphabet.length());
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(3, 9); left > 0; left--) {
                int at = random.nextInt(3) == 0 ? random.nextInt(4) : from + random.nextInt(8);
                text.append(alphabet.charAt(at % alphabet.length()));
            }
            String key = NAMES.key(text.toString());
            if (hasJoiner(key) && NAMES.rejection(text.toString(), key).isEmpty()) {
                accepted++;
                if (!annexAllows(key)) {
                    fail("seed " + SEED + ": " + points(key));
                }
            }
        }
        assertThat(accepted).isGreaterThan(500);
    }

    private static boolean hasJoiner(String text) {
        return text.indexOf('\u200c') >= 0 || text.indexOf('\u200d') >= 0;
    }

    private static boolean annexAllows(String text) {
        Set<Integer> allowed = Arrays.asList(A1, A2, B).stream()
                .flatMap(rule -> allOf(rule.matcher(text)).stream())
                .collect(Collectors.toSet());
        return IntStream.range(0, text.length())
                .filter(i -> text.charAt(i) == '\u200c' || text.charAt(i) == '\u200d')
                .allMatch(allowed::contains);
    }

    /** The places of the joiners in all matches, which may overlap. */
    private static Set<Integer> allOf(Matcher matcher) {
        Set<Integer> places = new java.util.HashSet<>();
        for (int from = 0; matcher.find(from); from = matcher.start() + 1) {
            places.add(matcher.start(1));
        }
        return places;
    }

    /** Every two letters of the script that are keys. */
    @Test
    void theNonJoinerIsAcceptedExactlyWhereTwoArabicLettersWouldBeJoined() {
        int[] letters = IntStream.rangeClosed(0x600, 0xFFFF)
                .filter(c -> UnicodeScript.of(c) == UnicodeScript.ARABIC && Character.isLetter(c))
                .filter(c -> NAMES.key(Character.toString(c)).equals(Character.toString(c)))
                .toArray();
        assertThat(letters.length).isGreaterThan(200);
        for (int one : letters) {
            for (int other : letters) {
                String name = Character.toString(one) + '\u200c' + Character.toString(other);
                if (NAMES.rejection(name, name).isEmpty() != A1.matcher(name).matches()) {
                    fail("A1 is " + A1.matcher(name).matches() + " of " + points(name));
                }
            }
        }
    }

    /** A consonant of each script that has a virama, in the most usual place. */
    @Test
    void afterAViramaEachScriptHasTheJoinersThatItNeeds() {
        Map<UnicodeScript, String> needed = Map.of(
                UnicodeScript.DEVANAGARI, "\u200c",
                UnicodeScript.BENGALI, "\u200c",
                UnicodeScript.GUJARATI, "\u200c",
                UnicodeScript.ORIYA, "\u200c",
                UnicodeScript.TELUGU, "\u200c",
                UnicodeScript.KANNADA, "\u200c",
                UnicodeScript.MALAYALAM, "\u200c",
                UnicodeScript.SINHALA, "\u200d");
        int viramas = 0;
        for (UnicodeSet.EntryRange range : new UnicodeSet("[[:ccc=9:]&[\\u0000-\\uffff]]").ranges()) {
            for (int virama = range.codepoint; virama <= range.codepointEnd; virama++) {
                UnicodeScript script = UnicodeScript.of(virama);
                String letter = letterOf(script);
                if (letter == null
                        || NAMES.rejection(letter + letter, letter + letter).isPresent()) {
                    continue;
                }
                viramas++;
                String allowed = virama == 0x0D3B || virama == 0x0D3C ? "" : needed.getOrDefault(script, "");
                for (String joiner : List.of("\u200c", "\u200d")) {
                    String name = letter + Character.toString(virama) + joiner + letter;
                    assertThat(NAMES.rejection(name, name).isEmpty())
                            .as(points(name))
                            .isEqualTo(allowed.equals(joiner));
                }
            }
        }
        assertThat(viramas).isGreaterThan(20);
    }

    private static String letterOf(UnicodeScript script) {
        return new UnicodeSet("[[:script=" + script + ":]&[:InSC=Consonant:]]")
                .stream()
                        .filter(letter -> NAMES.key(letter).equals(letter))
                        .findFirst()
                        .orElse(null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", // Ali-Reza
                "\u0639\u0644\u064a\u064e\u200c\u0631\u0636\u0627", // a vowel sign before it
                "\u0dc1\u0dca\u200d\u0dbb\u0dd3", // Sri
                "\u0917\u094b\u0930\u094d\u200d\u0939\u0947", // Gorhe
                "\u0930\u093e\u091c\u094d\u200c\u0915\u0941\u092e\u093e\u0930", // Rajkumar
                "\u0c30\u0c3e\u0c1c\u0c4d\u200c\u0c15\u0c41\u0c2e\u0c3e\u0c30\u0c4d",
                "\u0f56\u0f66\u0f9f\u0f53\u0f0b\u0f60\u0f5b\u0f72\u0f53", // Tenzin
                "\u0f56\u0f66\u0f9f\u0f53\u0f0c\u0f60\u0f5b\u0f72\u0f53", // with the tsheg that does not break
            })
    void namesAreWrittenAsTheirScriptAsks(String name) {
        assertThat(rejection(NAMES, name)).isEmpty();
        UsernameNormalizer withoutAccents =
                UsernameNormalizer.builder().accentInsensitive().build();
        assertThat(rejection(withoutAccents, name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ad\u200cmin, illegal_character",
        "ad\u200dmin, illegal_character",
        "\u0430\u0434\u200c\u043c\u0438\u043d, illegal_character",
        "\u200c\u0639\u0644\u06cc, illegal_character",
        "\u0639\u0644\u06cc\u200c, illegal_character",
        "\u0639\u0644\u200c\u200c\u06cc, illegal_character",
        "\u0639\u0644\u200d\u06cc, illegal_character",
        "\u0645\u062d\u0645\u062f\u200c\u0631\u0636\u0627, illegal_character", // dal is joined to nothing behind it
        "\u0639\u0644\u06cc\u200c\u064e\u0631, illegal_character",
        "\u0639\u0644\u06cc\u200cabc, illegal_character",
        "\u0930\u093e\u092e\u094d\u200d\u092f\u093e, illegal_character", // Ramya looks the same without it
        "\u0915\u200d\u0915\u0915, illegal_character",
        "\u0915\u0915\u094d\u200c, illegal_character",
        "\u0b95\u0bcd\u200c\u0b95, illegal_character",
        "\u0dc1\u0dbb\u0dca\u200d, illegal_character",
        "a\u0f0bbc, illegal_character",
        "\u0f56\u0f0b\u0f0b\u0f56, illegal_character",
        "\u0f56\u0f0b\u0f72\u0f56, illegal_character",
        "\u0f56\u0f56\u0f0b, illegal_edge",
        "\u0f0b\u0f56\u0f56, illegal_edge",
        "o'brien, illegal_character",
        "o\u2019brien, illegal_character",
        "paral\u00b7lel, illegal_character",
    })
    void elsewhereTheyAreRefused(String name, String code) {
        assertThat(rejection(NAMES, name)).contains(code);
        UsernameNormalizer withoutAccents =
                UsernameNormalizer.builder().accentInsensitive().build();
        // Where accents do not count, what nobody sees is no part of the key, and has no edge to stand at.
        assertThat(rejection(withoutAccents, name)).contains(code);
    }

    @ParameterizedTest
    @CsvSource({
        "O'Brien, o'brien",
        "O\u2019Brien, o'brien",
        "O\u02bcBrien, o'brien",
        "O\uff07Brien, o'brien",
        "\u0414\u0435\u043c'\u044f\u043d, \u0434\u0435\u043c'\u044f\u043d",
        "\u0414\u0435\u043c\u02bc\u044f\u043d, \u0434\u0435\u043c'\u044f\u043d",
        "\u05d2\u05f3\u05d5\u05e8\u05d2\u05f3, \u05d2'\u05d5\u05e8\u05d2'",
        "ng'ang'a, ng'ang'a",
        "Paral\u00b7lel, paral\u00b7lel",
        "PARA\u013fLEL, paral\u00b7lel",
        "cel\u0387la, cel\u00b7la",
    })
    void apostrophesAndTheMiddleDotAreASwitch(String name, String key) {
        assertThat(WITH_APOSTROPHES.key(name)).isEqualTo(key);
        assertThat(WITH_APOSTROPHES.key(key)).isEqualTo(key);
        assertThat(WITH_APOSTROPHES.rejection(name, key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "\"'abc\", illegal_edge",
        "\"abc'\", illegal_edge",
        "\"abc\u2019\", illegal_edge",
        "\u00b7lla, illegal_edge",
        "al\u00b7, illegal_edge",
        "\"' or 1=1\", illegal_character",
        "\"a''b\", illegal_character",
        "\"a'.b\", illegal_character",
        "\"a.'b\", illegal_character",
        "\"a'1b\", illegal_character",
        "\"abc');--\", illegal_character",
        "\"\u05d2''\u05d2\u05d2\", illegal_character",
        "a\u00b7l\u00b7b, illegal_character",
        "a\u00b7bc, illegal_character",
        "l\u00b7\u0301la, illegal_character",
    })
    void anApostropheOutsideOfAWordStaysIllegal(String name, String code) {
        String typed = name.replace("\"", "");
        assertThat(rejection(WITH_APOSTROPHES, typed)).contains(code);
    }

    @Test
    void onlyTheApostropheGoesWithOtherCharacters() {
        UsernameNormalizer ascii =
                UsernameNormalizer.builder().apostrophes(true).ascii().build();
        assertThat(rejection(ascii, "O\u2019Brien")).isEmpty();
        assertThat(rejection(ascii, "paral\u00b7lel")).contains("illegal_character");
        assertThat(rejection(ascii, "'brien")).contains("illegal_edge");
    }

    /** They are of the policy, not of the switch, and may stand wherever it says. */
    @Test
    void charactersThatAPolicyNamesStandWhereTheyLike() {
        UsernameNormalizer all =
                UsernameNormalizer.builder().characters(c -> true).build();
        for (String name : List.of("'abc'", "a\u200db", "\u0f0b\u0f56\u0f56", "a\u00b7b", "a''b")) {
            assertThat(rejection(all, name)).as(points(name)).isEmpty();
        }
        UsernameNormalizer arabic = UsernameNormalizer.builder()
                .characters(c -> UnicodeScript.of(c) == UnicodeScript.ARABIC)
                .build();
        assertThat(rejection(arabic, "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"))
                .contains("illegal_character");
    }

    @Test
    void whatWasKeptOfKeysWithOneApostropheIsNotAskedForOthers() {
        assertThat(WITH_APOSTROPHES.name()).isNotEqualTo(NAMES.name());
        assertThat(UsernameNormalizer.builder()
                        .apostrophes(true)
                        .accentInsensitive()
                        .build()
                        .name())
                .isNotEqualTo(WITH_APOSTROPHES.name())
                .isNotEqualTo(
                        UsernameNormalizer.builder().accentInsensitive().build().name());
    }

    /** No text that had one key with another has two. */
    @Test
    void keysWithOneApostropheAreKeysAndNoFinerThanTheUsualOnes() {
        SplittableRandom random = new SplittableRandom(SEED);
        String marks = "'\u2019\u02bc\u05f3\uff07\u0149\u0301\u0323\u0307aI\u0130";
        for (boolean accents : new boolean[] {true, false}) {
            var usual = accents
                    ? UsernameNormalizer.builder()
                    : UsernameNormalizer.builder().accentInsensitive();
            UsernameNormalizer before = usual.build();
            UsernameNormalizer after = usual.apostrophes(true).build();
            for (int n = 0; n < 50_000; n++) {
                StringBuilder text = new StringBuilder();
                for (int left = random.nextInt(1, 8); left > 0; left--) {
                    text.appendCodePoint(
                            random.nextBoolean()
                                    ? marks.charAt(random.nextInt(marks.length()))
                                    : random.nextInt(0x1F200));
                }
                String key = after.key(text.toString());
                if (!after.key(key).equals(key)
                        || !after.key(before.key(text.toString())).equals(key)) {
                    fail("seed " + SEED + ": " + points(text.toString()));
                }
            }
        }
    }

    @Test
    void nothingReservedIsFreeForAConnectorInIt() {
        ReservedNames reserved = ReservedNames.defaults().folded(WITH_APOSTROPHES);
        for (String name : List.of(
                "adm'in",
                "a'd'm'i'n",
                "admin'",
                "4dm\u20191n",
                "bil\u00b7ling",
                "\u043f\u043e\u043b\u0438\u0446\u02bc\u0438\u044f",
                "\u0645\u062f\u06cc\u200c\u0631",
                "\u0627\u0644\u0627\u062f\u0645\u200c\u0646",
                "\u067e\u0634\u200c\u062a\u06cc\u0628\u0627\u0646\u06cc",
                "\u0938\u0941\u0930\u0915\u094d\u200c\u0937\u093e")) {
            String key = WITH_APOSTROPHES.key(name);
            assertThat(reserved.contains(key)).as(points(name)).isTrue();
        }
    }

    private static Optional<String> rejection(UsernameNormalizer policy, String text) {
        return policy.rejection(text, policy.key(text));
    }

    private static String points(String text) {
        return text.codePoints().mapToObj(Integer::toHexString).collect(Collectors.joining(" "));
    }
}

package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.untaken.Seed;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaseLettersTest {
    private static final long SEED = Seed.of(BaseLettersTest.class, 0x5EED_BA5EL);
    private static final UsernameNormalizer NAMES =
            UsernameNormalizer.builder().accentInsensitive().build();

    /** What was kept of the keys of one is not asked for those of the other. */
    @Test
    void theFunctionHasANameOfItsOwn() {
        assertThat(NAMES.name()).isNotEqualTo(UsernameNormalizer.defaults().name());
    }

    @ParameterizedTest
    @CsvSource({
        "Jos\u00e9, jose",
        "JOSE\u0301, jose",
        "S\u00f8ren, soren",
        "\u0141ukasz, lukasz",
        "Stra\u00dfe, strasse",
        "\u00c6sir, aesir",
        "\u0110or\u0111e, dorde",
        "Vi\u1ec7t, viet",
        "\u0130stanbul, istanbul",
        "\uff21lice, alice",
        "al\u200bice, alice",
        "\u0391\u0301\u03bb\u03c6\u03b1, \u03b1\u03bb\u03c6\u03b1",
        "\u0401\u043b\u043a\u0430, \u0435\u043b\u043a\u0430",
        "\u30ac\u30c3\u30c4, \u304b\u3064\u3064",
        "user\u0661, user1",
        "user\u246b, user12",
        "\ud83c\udd97, ok"
    })
    void accentsAndTheLikeMakeNoSecondName(String typed, String key) {
        assertThat(NAMES.key(typed)).isEqualTo(key);
    }

    @Test
    void anAsciiKeyIsReturnedAsItIs() {
        String key = "alice.b-17_x";
        assertThat(NAMES.key(key)).isSameAs(key);
        assertThat(NAMES.acceptsAsIs(key)).isTrue();
    }

    @Test
    void isItsOwnKeyForEveryCodePointAndNoFinerThanTheUsualKey() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            assertIsKey("x" + Character.toString(c) + "y");
        }
    }

    @Test
    void isItsOwnKeyForTextsOfAnyCharacters() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x3100 : 0x1F200));
            }
            assertIsKey(text.toString());
        }
    }

    private static void assertIsKey(String text) {
        String key = NAMES.key(text);
        if (!NAMES.key(key).equals(key)) {
            fail("not its own key: "
                    + text.codePoints().mapToObj(Integer::toHexString).toList() + " seed " + SEED);
        }
    }

    /** What the key leaves out can be typed, but not if nobody sees it. */
    @ParameterizedTest
    @ValueSource(strings = {"al\u200bice", "al\u00adice", "al\ufe0fice", "alice\u0000"})
    void whatNobodySeesIsRefusedAlthoughTheKeyIsFine(String typed) {
        assertThat(NAMES.key(typed)).isEqualTo("alice");
        assertThat(NAMES.rejection(typed, "alice")).contains("illegal_character");
    }

    @Test
    void accentsAreAcceptedButNoHeapOfThem() {
        for (String typed : List.of("Jos\u00e9", "jose\u0301", "Stra\u00dfe", "\u304c\u304d\u3050")) {
            assertThat(NAMES.rejection(typed, NAMES.key(typed))).isEqualTo(Optional.empty());
        }
        assertThat(NAMES.rejection("jose" + "\u0301".repeat(6), "jose")).contains("illegal_character");
    }
}

package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Seed;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailNormalizerTest {
    private static final long SEED = Seed.of(EmailNormalizerTest.class, 0x5EED_E3A1L);
    private static final EmailNormalizer EMAIL = EmailNormalizer.defaults();

    @ParameterizedTest
    @CsvSource({
        "ann@example.com, ann@example.com",
        "Ann@Example.COM, ann@example.com",
        "INFO@EXAMPLE.COM, info@example.com",
        "ann＠example.com, ann@example.com",
        "ann@bücher.example, ann@xn--bcher-kva.example",
        "ann@BÜCHER.example, ann@xn--bcher-kva.example",
        "ann@XN--BCHER-KVA.example, ann@xn--bcher-kva.example",
        "ann@例え。example, ann@xn--r8jz45g.example",
        "a.nn+news@example.com, a.nn+news@example.com",
        "no address, no address",
        "a@b@example.com, a@b@example.com",
    })
    void theKeyOfAnAddress(String typed, String key) {
        assertThat(EMAIL.key(typed)).isEqualTo(key);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(EMAIL.key(typed)).isEqualTo(key);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void givesBackAnAddressThatIsItsKey() {
        String key = "ann.o@mail.example.com";
        assertThat(EMAIL.key(key)).isSameAs(key);
    }

    @Test
    void dropsTagsAndDotsOnlyWhereAsked() {
        EmailNormalizer asked = EMAIL.ignoringTags().ignoringDots("gmail.com", "Bücher.example");
        assertThat(asked.key("A.n.n+news@gmail.com")).isEqualTo("ann@gmail.com");
        assertThat(asked.key("a.n.n+news@example.com")).isEqualTo("a.n.n@example.com");
        assertThat(asked.key("a.nn@bücher.example")).isEqualTo("ann@xn--bcher-kva.example");
        assertThat(asked.key("+ann@example.com")).isEqualTo("+ann@example.com");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@example.com",
                "a@b.co",
                "o'neill@example.ie",
                "ann+tag@mail.example.com",
                "用户@例え.example",
                "ann@bücher.example"
            })
    void letsAnAddressPass(String address) {
        assertThat(EMAIL.rejection(address, EMAIL.key(address))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "@example.com",
                "ann@",
                "ann@localhost",
                "a nn@example.com",
                "ann @example.com",
                "ann@example.com ",
                ".ann@example.com",
                "ann.@example.com",
                "a..nn@example.com",
                "ann@-example.com",
                "ann@example..com",
                "ann@example.com.",
                "\"a b\"@example.com",
                "ann@[127.0.0.1]",
                "ann@127.0.0.1",
                "a@b@example.com",
                "ann\u0000@example.com",
                "ann@exa_mple.com",
                "a\u200Bnn@example.com"
            })
    void refusesWhatIsNone(String text) {
        assertThat(EMAIL.rejection(text, EMAIL.key(text))).hasValue("malformed");
    }

    @Test
    void refusesWhatIsTooShortOrTooLong() {
        assertThat(EMAIL.rejection("", "")).hasValue("too_short");
        String longest = "a".repeat(64) + "@example.com";
        assertThat(EMAIL.rejection(longest, longest)).isEmpty();
        assertThat(EMAIL.rejection("a" + longest, "a" + longest)).hasValue("too_long");
        String endless = "a@" + "b.".repeat(200) + "com";
        assertThat(EMAIL.rejection(endless, endless)).hasValue("too_long");
    }

    @Test
    void theKeyOfAKeyIsItselfAndEveryTextHasOne() {
        SplittableRandom random = new SplittableRandom(SEED);
        EmailNormalizer asked = EMAIL.ignoringTags().ignoringDots("b", "xn--p1ai");
        int[] likely = {
            '@', '.', '+', 'a', 'B', 'ß', 'é', 0x301, 0x338, '。', '＠', '．', 0xD800, 0xDC00, 'x', 'n', '-', 'р', 'ф',
            0x1F600, 'İ'
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(12);
            for (int k = 0; k < length; k++) {
                text.appendCodePoint(
                        random.nextInt(8) == 0 ? random.nextInt(0x110000) : likely[random.nextInt(likely.length)]);
            }
            for (EmailNormalizer each : new EmailNormalizer[] {EMAIL, asked}) {
                String key = each.key(text.toString());
                assertThat(each.key(key)).as("seed %d, text %d", SEED, i).isEqualTo(key);
            }
        }
    }

    /** The oracle is the same normalizer asked for the address in full width, which no short cut knows. */
    @Test
    void theShortWayToAKeyLeadsWhereTheLongOneDoes() {
        compareWithTheLongWay(20_000);
    }

    @Test
    @Tag("nightly")
    void theShortWayToAKeyLeadsWhereTheLongOneDoesInMillionsOfCases() {
        compareWithTheLongWay(500_000);
    }

    private static void compareWithTheLongWay(int texts) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<EmailNormalizer> all = List.of(
                EMAIL,
                EmailNormalizer.ascii(),
                EMAIL.ignoringTags(),
                EMAIL.ignoringDots("example.com", "a.b", "xn--a"),
                EMAIL.ignoringTags().ignoringDots("gmail.com", "b", "xn--p1ai", ""));
        String[] pieces = {
            "@",
            "@",
            ".",
            ".",
            "+",
            "-",
            "a",
            "b",
            "ann",
            "xn--",
            "p1ai",
            "gmail.com",
            "example.com",
            "_",
            "\u0000",
            " ",
            "A",
            "\u007f",
            "~",
            "0",
            "\u00e9",
            "\u0131",
            "\u0130",
            "\u3002",
            "\uff20",
            "\ud800",
            "\u0301",
            "\u00df",
            "i".repeat(63)
        };
        int same = 0;
        for (int n = 0; n < texts; n++) {
            StringBuilder text = new StringBuilder();
            int kinds = random.nextInt(1, pieces.length + 1);
            for (int left = random.nextInt(12); left > 0; left--) {
                text.append(pieces[random.nextInt(kinds)]);
            }
            for (EmailNormalizer each : all) {
                String key = each.key(text.toString());
                if (!key.equals(each.key(wide(text)))) {
                    throw new AssertionError("seed " + SEED + ", text " + n + ": " + text);
                }
                same += key.contentEquals(text) ? 1 : 0;
            }
        }
        assertThat(same).isGreaterThan(texts / 3);
    }

    /** In full width what folds to the same, but for a space. */
    private static String wide(StringBuilder text) {
        StringBuilder wide = new StringBuilder(text.length());
        text.chars().forEach(c -> wide.append((char) (c > ' ' && c < 0x7f ? c + 0xfee0 : c)));
        return wide.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "ann+tag@mail.example.com, ",
        "o'neill@example.ie, ",
        "ＡＮＮ@example.com, ",
        "ann@xn--bcher-kva.example, ",
        "ann@bücher.example, illegal_character",
        "zoë@example.com, illegal_character",
        "用户@例え.example, illegal_character",
        "zoë, malformed",
        "ann@localhost, malformed",
    })
    void inAsciiALetterBeyondItIsIllegalAndTheKeyIsTheSame(String typed, String reason) {
        EmailNormalizer ascii = EmailNormalizer.ascii();
        String key = EMAIL.key(typed);
        assertThat(ascii.key(typed)).isEqualTo(key);
        assertThat(ascii.rejection(typed, key)).isEqualTo(Optional.ofNullable(reason));
        assertThat(ascii.name()).as("it is a matter of the policy").isEqualTo(EMAIL.name());
        EmailNormalizer asked = ascii.ignoringTags().ignoringDots("example.com");
        assertThat(asked.rejection(typed, asked.key(typed))).isEqualTo(Optional.ofNullable(reason));
    }

    @Test
    void aLongTextOfDotsIsJudgedAtOnce() {
        String text = "a.".repeat(100) + "@" + "a-".repeat(20);
        assertThat(EMAIL.rejection(text, EMAIL.key(text))).isPresent();
    }
}

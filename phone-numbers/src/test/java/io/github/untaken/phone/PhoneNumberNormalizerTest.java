package io.github.untaken.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneNumberNormalizerTest {
    private final PhoneNumberNormalizer chinese = PhoneNumberNormalizer.forRegion("CN");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "138 0013 8000",
                "13800138000",
                "+86 138-0013-8000",
                "+8613800138000",
                "008613800138000",
                "(138) 0013-8000",
                "\uff11\uff13\uff18\uff10\uff10\uff11\uff13\uff18\uff10\uff10\uff10",
                "\uff0b\uff18\uff16 \uff11\uff13\uff18 \uff10\uff10\uff11\uff13 \uff18\uff10\uff10\uff10",
                "\u0661\u0663\u0668\u0660\u0660\u0661\u0663\u0668\u0660\u0660\u0660",
                "  13800138000  ",
                "tel:+86-138-0013-8000",
            })
    void theseSpellingsAreOneNumber(String text) {
        String key = chinese.key(text);
        assertThat(key).isEqualTo("+8613800138000");
        assertThat(chinese.rejection(text, key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "abc, not_a_number",
        "12, too_short",
        "1380013800, invalid_number",
        "138001380001380013800, too_long",
        "13800138000 ext 5, has_extension",
        "+99913800138000, no_country_code",
        "'', not_a_number",
    })
    void theseAreRefusedWithAReason(String text, String reason) {
        assertThat(chinese.rejection(text, chinese.key(text))).contains(reason);
    }

    @Test
    void withoutARegionTheCountryCodeIsNeeded() {
        PhoneNumberNormalizer anywhere = PhoneNumberNormalizer.international();
        assertThat(anywhere.key("+44 20 7946 0018")).isEqualTo("+442079460018");
        assertThat(anywhere.rejection("138 0013 8000", anywhere.key("138 0013 8000")))
                .contains("no_country_code");
    }

    @Test
    void anE164TextIsItsOwnKeyWithoutACopy() {
        String text = "+8613800138000";
        assertThat(chinese.key(text)).isSameAs(text);
    }

    @Test
    void keysAreTotalAndIdempotentAndOnlyNumbersLookLikeNumbers() {
        long seed = 20261121;
        SplittableRandom random = new SplittableRandom(seed);
        String alphabet = "+0123456789 -()abcxEXT#;=,\uff0b\uff11\u0663\u00e9\ud800\u4e2d";
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(20);
            for (int k = 0; k < length; k++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String key = chinese.key(text.toString());
            assertThat(chinese.key(key)).as("seed %d, round %d", seed, i).isEqualTo(key);
            if (key.startsWith("+")) {
                assertThat(key).matches("\\+[0-9]{2,17}");
            }
        }
    }

    @Test
    void anUnknownRegionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhoneNumberNormalizer.forRegion("XQ"))
                .withMessageContaining("'XQ'");
    }
}

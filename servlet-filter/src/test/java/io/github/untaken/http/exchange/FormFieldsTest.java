package io.github.untaken.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.testkit.Seed;
import java.net.URLEncoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormFieldsTest {

    private static List<String> pairs(FormFields fields) throws CharacterCodingException {
        List<String> found = new ArrayList<>();
        while (fields.next()) {
            found.add(fields.name() + "->" + fields.value());
        }
        return found;
    }

    @Test
    void splitsAtAmpersandsAndAtTheFirstEqualsSign() throws Exception {
        assertThat(pairs(FormFields.ofQuery("a=1&&b=2=3&c&=d&e=;f&")))
                .containsExactly("a->1", "b->2=3", "c->", "->d", "e->;f");
        assertThat(pairs(FormFields.ofQuery(""))).isEmpty();
        assertThat(pairs(FormFields.ofQuery("&&&"))).isEmpty();
    }

    @Test
    void decodesPlusPercentAndUtf8InNamesAndValues() throws Exception {
        assertThat(pairs(FormFields.ofQuery("%75ser+name=%E5%BC%A0%e4%b8%89+%2B%26%3D%F0%9F%98%80")))
                .containsExactly("user name->\u5f20\u4e09 +&=\ud83d\ude00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "%4",
                "%zz",
                "%4z",
                "%z4",
                "ab%",
                "%-1",
                "%+1",
                "% 1",
                "%u4e2d", // no percent sequence
                "%80",
                "%BF",
                "%FE",
                "%FF", // no first byte
                "%C3",
                "%E5%BC",
                "%F0%9F%98",
                "%C3x",
                "%E5%BC+", // truncated
                "%C0%80",
                "%C1%BF",
                "%C0%AF",
                "%E0%80%AF",
                "%F0%80%80%AF",
                "%F8%88%80%80%80", // overlong
                "%ED%A0%80",
                "%ED%BF%BF",
                "%ED%A0%BD%ED%B8%80", // surrogates
                "%F4%90%80%80",
                "%F7%BF%BF%BF" // beyond Unicode
            })
    void refusesWhatIsNotTheOneRightFormOfAText(String value) {
        FormFields fields = FormFields.ofQuery("x=" + value);
        assertThat(fields.next()).isTrue();
        assertThatThrownBy(fields::value).isInstanceOf(CharacterCodingException.class);
        FormFields asName = FormFields.ofQuery(value + "=x");
        assertThat(asName.next()).isTrue();
        assertThatThrownBy(asName::name).isInstanceOf(CharacterCodingException.class);
    }

    @Test
    void refusesCharactersAContainerShouldNotHavePutIntoARawQuery() {
        for (String value : List.of("\u5f20", "\u00e9", "a b", "\u007f", "\ufffd", "\ud800")) {
            FormFields fields = FormFields.ofQuery("x=" + value);
            assertThat(fields.next()).isTrue();
            assertThatThrownBy(fields::value).isInstanceOf(CharacterCodingException.class);
        }
    }

    @Test
    void takesRawUtf8InABody() throws Exception {
        byte[] body = "x=\u5f20\u4e09&y=a b".getBytes(StandardCharsets.UTF_8);
        assertThat(pairs(FormFields.ofBody(body, body.length))).containsExactly("x->\u5f20\u4e09", "y->a b");
    }

    @Test
    void readsBackWhatTheJdkEncodes() throws Exception {
        long seed = Seed.of(FormFieldsTest.class, 11);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String text = random.ints(random.nextInt(12), 0, 0x110000)
                    .map(c -> random.nextBoolean() ? c & 0x7F : c)
                    .filter(c -> c < 0xD800 || c > 0xDFFF)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
            FormFields fields = FormFields.ofQuery("k=" + encoded);
            assertThat(fields.next()).isTrue();
            assertThat(fields.value()).as("seed %d round %d", seed, i).isEqualTo(text);
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            assertThat(fields.valueExceeds(bytes)).isFalse();
            assertThat(bytes == 0 || fields.valueExceeds(bytes - 1)).isTrue();
        }
    }

    @Test
    void survivesRandomBytes() {
        long seed = Seed.of(FormFieldsTest.class, 11);
        Random random = new Random(seed);
        String alphabet = "%%%&=+;0123456789abcdefABCDEFxyz\u00e9\u4e2d";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(20); n > 0; n--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            FormFields fields = FormFields.ofQuery(text.toString());
            int pairs = 0;
            while (fields.next()) {
                assertThat(++pairs).as("seed %d: %s", seed, text).isLessThanOrEqualTo(20);
                try {
                    assertThat(fields.name() + fields.value()).doesNotContain("\ufffd");
                } catch (CharacterCodingException e) {
                    assertThat(text.toString()).as("seed %d", seed).containsAnyOf("%", "\u00e9", "\u4e2d");
                }
            }
        }
    }
}

package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MixedScriptsTest {
    private static final UsernameNormalizer NAMES = UsernameNormalizer.defaults();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0430lice", // a Cyrillic letter
                "alic\u0435",
                "\u03b1lice", // a Greek one
                "\u0430\u03bf\u0431", // Cyrillic and Greek
                "alice\u0e01", // Thai
                "alice\u0661", // an Arabic digit
                "alice\u06f1",
                "alice\u0967", // a Devanagari one
                "\u0661\u06f1\u0661", // Arabic and Persian digits
                "\u0645\u062d\u0645\u062f1\u0661", // ASCII and Arabic digits
                "al\u0640ice", // the Arabic stroke
                "al\u064eice",
                "\u30a2\ud55c", // kana and Hangul
                "\u3105\u30a2", // Bopomofo and kana
                "\u0438\u30fc\u0438", // Cyrillic and the long sound of kana
                "\u6f22\u0438",
                "\uff41lic\u0435"
            })
    void aNameOfScriptsThatNobodyMixesIsRefused(String name) {
        assertThat(NAMES.rejection(name, NAMES.key(name))).contains("mixed_scripts");
        UsernameNormalizer lenient =
                UsernameNormalizer.builder().mixedScripts(true).build();
        assertThat(lenient.rejection(name, lenient.key(name))).isEmpty();
        assertThat(lenient.key(name)).isEqualTo(NAMES.key(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice_01.b",
                "\u0438\u0432\u0430\u043d_01",
                "\u0645\u062d\u0645\u062f\u0661\u0662",
                "\u0645\u062d\u064e\u0645\u0640\u062f12",
                "\u5f20a\u3042\u30a2\u30fc", // Han, Latin, kana
                "\u5f20a\u3105",
                "\u5f20a\ud55c",
                "\u30b9\u30fc\u30d1\u30fc",
                "\u3007\u4e8c",
                "z\u0332oe\u0301",
                "007",
                "\u0661\u0662\u0663"
            })
    void aNameAsPeopleWriteItIsNot(String name) {
        assertThat(NAMES.rejection(name, NAMES.key(name))).isEmpty();
    }

    @Test
    void theOtherRulesSpeakFirst() {
        assertThat(NAMES.rejection("\u0430lice!", "\u0430lice!")).contains("illegal_character");
        assertThat(NAMES.rejection("\u0430b", "\u0430b")).contains("too_short");
    }
}

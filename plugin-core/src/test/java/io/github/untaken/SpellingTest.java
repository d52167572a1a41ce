package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.memory.Spelling;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    @ParameterizedTest
    @CsvSource({
        "alice, alice, KEY",
        "Alice, alice, ASCII_CASE",
        "ALICE-1, alice-1, ASCII_CASE",
        "'', '', KEY",
        "ａｌｉｃｅ, alice, OTHER",
        "Élodie, élodie, OTHER", // the case of é is not that of a letter from a to z
        "\u212Aim, kim, OTHER", // the Kelvin sign, whose lower case is a k
        "\u0130da, ida, OTHER",
        "alice., alice, OTHER",
        "'alice ', alice, OTHER",
        "jose\u0301, josé, OTHER",
        "ﬁnn, finn, OTHER",
        "@lice, `lice, OTHER", // 32 apart as A and a are
        "[x], {x}, OTHER",
    })
    void tellsHowAValueDiffersFromItsKey(String value, String key, Spelling expected) {
        assertThat(Spelling.of(value, key)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "KEY, false, false",
        "KEY, true, false",
        "ASCII_CASE, false, true",
        "ASCII_CASE, true, false",
        "OTHER, false, true",
        "OTHER, true, true",
    })
    void isOddUnlessTheStoreFindsIt(Spelling spelling, boolean foldsAsciiCase, boolean odd) {
        assertThat(spelling.isOdd(foldsAsciiCase)).isEqualTo(odd);
    }
}

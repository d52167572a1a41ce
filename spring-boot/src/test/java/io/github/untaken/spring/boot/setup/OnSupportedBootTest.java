package io.github.untaken.spring.boot.setup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnSupportedBootTest {

    @ParameterizedTest
    @CsvSource({
        "4.0.8, true",
        "4.1.1, true",
        "4.2.0-M1, true",
        "3.5.8, true",
        "3.4.12, true",
        "3.3.13, false",
        "2.7.18, false",
        "5.0.0, false",
        "40.1, false",
        ", false"
    })
    void onlyLinesThatWereTriedMatch(String version, boolean matches) {
        assertThat(OnSupportedBoot.supports(version)).isEqualTo(matches);
    }
}

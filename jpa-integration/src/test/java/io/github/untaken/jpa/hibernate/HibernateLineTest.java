package io.github.untaken.jpa.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which versions are in reach. */
class HibernateLineTest {
    /** No version between the first and the last asks our listeners and services for more than they have. */
    @Test
    void whatIsInReachAsksForNothingThatIsNotThere() {
        assertThat(HibernateLine.isHeard()).isEqualTo(HibernateLine.inReach(Version.getVersionString()));
    }

    @ParameterizedTest
    @CsvSource({
        "6.6.56.Final, false",
        "7.0.10.Final, false",
        "7.1.35.Final, false",
        "7.2.0.Final, true",
        "7.2.24.Final, true",
        "7.4.5.Final, true",
        "7.10.0.CR1, true",
        "7.3-SNAPSHOT, true",
        "8.0.0.Beta1, false",
        "17.4.0, false",
        "[WORKING], false",
        "'', false"
    })
    void hibernateIsHeardFromSevenTwoOnAndBelowEight(String version, boolean heard) {
        assertThat(HibernateLine.inReach(version)).isEqualTo(heard);
    }
}

package io.github.untaken.innodb;

import io.github.untaken.jdbc.paths.LostCommits;
import io.github.untaken.jdbc.paths.Pooling;
import io.github.untaken.jdbc.paths.StepsByChance;
import io.github.untaken.jdbc.paths.WatchedSoak;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is played on H2 and PostgreSQL with connections that break, with both drivers. */
class BrokenConnectionsTest {

    @ParameterizedTest
    @EnumSource
    void aLostReplyToCommitHidesNoName(Driver driver) {
        LostCommits.hideNoName(DriverTable.on(driver));
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatIsKilledWithAnOpenTransactionLeavesNothingHidden(Driver driver) {
        LostCommits.leaveNothingHidden(DriverTable.on(driver), Pooling.HIKARI_INSIDE);
    }

    static Stream<Arguments> pools() {
        return Arrays.stream(Driver.values())
                .flatMap(driver -> Arrays.stream(Pooling.values()).map(pooling -> Arguments.of(driver, pooling)));
    }

    @ParameterizedTest
    @MethodSource("pools")
    @Tag("nightly")
    void nothingCommittedIsEverAvailableWhateverThePool(Driver driver, Pooling pooling) {
        StepsByChance.play(DriverTable.on(driver), pooling);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void noNameThatIsAcknowledgedIsAvailableForFiveMinutes(Driver driver) throws Exception {
        WatchedSoak.play(
                Product.UNDER_TEST + " with the driver " + driver, DriverTable.on(driver), Duration.ofMinutes(5));
    }
}

package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions of other programs that are open while a checker starts. */
class OpenAtStartTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private TestDatabase database;
    private AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void whatTheyCommitIsNeverAvailable(Engine engine) throws Exception {
        database = TestDatabase.counted(engine, IdentityAccount.class);
        try (Connection writer = database.connection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("insert into IdentityAccount (username) values ('alice.w')");
            checker = AvailabilityChecker.builder()
                    .source(JpaIdentifiers.of(database.factory()))
                    .recheckTimeout(Duration.ofMinutes(1))
                    .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                    .build();
            // Far more than the reads before a scan: without a barrier the scan would be over by then.
            Eventually.holds(
                    "ready, or past the looks before a scan",
                    () -> isReady() || database.connections().rowsOfQueries().size() > 20);
            assertThat(isReady()).as("ready while a writer is open").isFalse();
            writer.commit();
        }
        assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
        Eventually.holds("ready", this::isReady);
        assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
    }

    private boolean isReady() {
        return checker.state(USERNAME) == KindState.READY;
    }
}

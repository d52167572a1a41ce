package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.RegistryState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.spi.IdentifierKind;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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
                    .recheckTimeout(Duration.ofSeconds(20))
                    .build();
            // Far more than the looks before a scan; without a barrier it would be over by then.
            eventually(() -> isReady() || database.connections().rowsOfQueries().size() > 20);
            assertThat(isReady()).as("ready while a writer is open").isFalse();
            writer.commit();
        }
        assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
        eventually(this::isReady);
        assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
    }

    private boolean isReady() {
        return checker.state(USERNAME) == RegistryState.READY;
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("the condition never held")
                    .isNegative();
            Thread.onSpinWait();
        }
    }
}

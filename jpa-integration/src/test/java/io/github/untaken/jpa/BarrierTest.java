package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transactions a scan waits for before it begins. */
@ParameterizedClass
@EnumSource
class BarrierTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofMillis(20);
    private static final String INSERT_ALICE = "insert into Account (id, username) values (1, 'alice')";
    private static final String INSERT_BOB = "insert into Account (id, username) values (2, 'bob')";

    private final Engine engine;
    private final TestDatabase database;

    BarrierTest(Engine engine) {
        this.engine = engine;
        this.database = TestDatabase.counted(engine, Account.class);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Barrier barrier(EntityManagerFactory factory) {
        return (Barrier)
                JpaIdentifiers.of(factory).stores().get(IdentifierKind.USERNAME).get(0);
    }

    private Barrier barrier() {
        return barrier(database.factory());
    }

    private void passesAtOnce() {
        barrier().awaitOpenTransactions(TIMEOUT);
    }

    private void staysClosed() {
        assertThatThrownBy(() -> barrier().awaitOpenTransactions(AT_ONCE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
    }

    private Connection begin(String... statements) throws SQLException {
        Connection connection = database.connection();
        connection.setAutoCommit(false);
        for (String sql : statements) {
            connection.createStatement().execute(sql);
        }
        return connection;
    }

    @Test
    void waitsForWhatWasWrittenBefore() throws SQLException {
        passesAtOnce();
        try (Connection writer = begin(INSERT_ALICE)) {
            staysClosed();
            writer.commit();
            passesAtOnce();
        }
    }

    @Test
    void waitsForEachOfSeveralInWhateverOrderTheyEnd() throws SQLException {
        try (Connection first = begin(INSERT_ALICE);
                Connection second = begin(INSERT_BOB)) {
            second.commit();
            staysClosed();
            first.rollback();
            passesAtOnce();
        }
        database.sql("delete from Account");
        try (Connection first = begin(INSERT_ALICE);
                Connection second = begin(INSERT_BOB)) {
            first.commit();
            staysClosed();
            second.rollback();
            passesAtOnce();
        }
    }

    @Test
    void waitsForWhatWasWrittenInsideASavepoint() throws SQLException {
        try (Connection writer = begin()) {
            writer.setSavepoint("here");
            writer.createStatement().execute(INSERT_ALICE);
            staysClosed();
            writer.commit();
            passesAtOnce();
        }
    }

    @Test
    void waitsForNobodyWhoOnlyReads() throws SQLException {
        database.sql(INSERT_ALICE);
        try (Connection reader = begin()) {
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.createStatement().execute("select username from Account");
            passesAtOnce();
            reader.rollback();
        }
    }

    @Test
    void doesNotWaitForWhatIsWrittenLater() throws Exception {
        try (Connection before = begin(INSERT_ALICE);
                Connection later = begin()) {
            Barrier store = barrier();
            database.connections().forget();
            CompletableFuture<Void> barrier =
                    OtherThread.start(() -> store.awaitOpenTransactions(Duration.ofSeconds(30)));
            // Its first look is at most two queries; with the third it has begun to look again.
            Eventually.holds(
                    "a second look",
                    () -> database.connections().rowsOfQueries().size() >= 3);
            later.createStatement().execute(INSERT_BOB);
            assertThat(barrier).isNotDone();
            before.commit();
            barrier.get(20, TimeUnit.SECONDS);
            later.rollback();
        }
    }

    @Test
    void aBusyWriterThatKeepsCommittingLetsItPass() throws Exception {
        try (Connection writer = begin()) {
            CompletableFuture<Void> barrier = null;
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            for (int i = 0; barrier == null || !barrier.isDone(); i++) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                writer.createStatement().execute("insert into Account (id, username) values (" + i + ", 'u" + i + "')");
                if (barrier == null) {
                    Barrier store = barrier();
                    barrier = OtherThread.start(() -> store.awaitOpenTransactions(TIMEOUT));
                }
                writer.commit();
            }
            barrier.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void onPostgresWaitsForAPreparedTransactionThoughItsConnectionIsGone() throws SQLException {
        assumeTrue(engine == Engine.POSTGRESQL, "only PostgreSQL prepares by a plain statement");
        try (Connection writer = begin(INSERT_ALICE, "prepare transaction 'sign-up'")) {
            writer.commit();
        }
        try {
            staysClosed();
        } finally {
            database.sql("commit prepared 'sign-up'");
        }
        passesAtOnce();
    }

    @Test
    void onPostgresNoPrivilegeIsNeededToBeWaitedFor() throws SQLException {
        assumeTrue(engine == Engine.POSTGRESQL, "H2 tells only administrators of other sessions");
        database.sql("drop role if exists limited", "create role limited login", "grant select on Account to limited");
        Map<String, String> asLimited = Map.of(
                "jakarta.persistence.jdbc.user", "limited",
                "jakarta.persistence.schema-generation.database.action", "none");
        try (EntityManagerFactory limited = database.anotherFactory(asLimited, Account.class);
                Connection writer = begin(INSERT_ALICE)) {
            assertThatThrownBy(() -> barrier(limited).awaitOpenTransactions(AT_ONCE))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("still open");
            writer.commit();
            barrier(limited).awaitOpenTransactions(TIMEOUT);
        } finally {
            database.sql("drop owned by limited", "drop role limited");
        }
    }

    @Test
    void onPostgresDoesNotWaitForAnotherDatabaseOfTheServer() throws SQLException {
        assumeTrue(engine == Engine.POSTGRESQL, "H2 has no other databases");
        try (TestDatabase other = TestDatabase.on(engine, Map.of(), Account.class);
                Connection writer = other.connection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute(INSERT_ALICE);
            passesAtOnce();
            writer.rollback();
        }
    }

    @Test
    void onH2AUserWhoSeesNoOtherSessionsWaitsForNothing() throws SQLException {
        assumeTrue(engine == Engine.H2, "PostgreSQL tells everybody");
        database.sql("create user limited password 'x'", "grant select, insert on Account to limited");
        Map<String, String> asLimited = Map.of(
                "jakarta.persistence.jdbc.user", "limited",
                "jakarta.persistence.jdbc.password", "x",
                "jakarta.persistence.schema-generation.database.action", "none");
        try (EntityManagerFactory limited = database.anotherFactory(asLimited, Account.class);
                Connection writer = begin(INSERT_ALICE)) {
            barrier(limited).awaitOpenTransactions(AT_ONCE);
            writer.rollback();
        }
    }
}

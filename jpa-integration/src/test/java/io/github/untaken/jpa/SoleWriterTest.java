package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.io.BufferedReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** P15: two processes that write one database and do not hear each other. Here, two factories. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SoleWriterTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Map<String, String> NO_CHANGES =
            Map.of("jakarta.persistence.schema-generation.database.action", "none");

    private final TestDatabase database =
            TestDatabase.on(Engine.POSTGRESQL, Map.of(), Account.class, IdentityAccount.class);
    private final EntityManagerFactory anotherProcess =
            database.anotherFactory(NO_CHANGES, Account.class, IdentityAccount.class);
    private final List<AutoCloseable> open = new ArrayList<>();
    private Connection oracle;

    @BeforeAll
    void connect() throws SQLException {
        oracle = database.connection();
    }

    @AfterEach
    void leaveNoMark() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        open.clear();
        for (EntityManagerFactory factory : List.of(database.factory(), anotherProcess)) {
            JpaIdentifiers.of(factory).stores().values().stream()
                    .flatMap(List::stream)
                    .forEach(store -> ((Exclusive) store).release());
        }
        Eventually.holds("no mark is left", () -> marksInTheDatabase() == 0);
    }

    @AfterAll
    void close() throws SQLException {
        oracle.close();
        anotherProcess.close();
        database.close();
    }

    private static Exclusive mark(EntityManagerFactory factory, String kind, String column) {
        return (Exclusive) JpaIdentifiers.of(factory).stores().get(IdentifierKind.of(kind)).stream()
                .filter(store -> store.toString().equals(column))
                .findFirst()
                .orElseThrow();
    }

    private static Exclusive mark(EntityManagerFactory factory) {
        return mark(factory, "username", "Account.username");
    }

    /** Sets the mark unless it stands, and looks. */
    private static boolean alone(Exclusive mark) {
        mark.mark();
        return mark.standing() == Standing.ALONE;
    }

    private long marksInTheDatabase() {
        return query("select count(*) from pg_locks where locktype = 'advisory'");
    }

    private long query(String sql) {
        try (Statement statement = oracle.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whileTwoWriteNeitherIsAlone() {
        Exclusive first = mark(database.factory());
        Exclusive second = mark(anotherProcess);
        assertThat(alone(first)).isTrue();
        assertThat(alone(first)).isTrue();
        assertThat(alone(second)).isFalse();
        assertThat(alone(first)).as("the first hears of the second").isFalse();
        first.release();
        assertThat(alone(second)).isTrue();
        assertThat(alone(first)).isFalse();
        first.release();
        second.release();
        assertThat(marksInTheDatabase()).isZero();
    }

    @Test
    void eachColumnHasItsOwnMarkOnOneConnection() {
        EntityManagerFactory factory = database.factory();
        Exclusive username = mark(factory);
        Exclusive phone = mark(factory, "phone", "Account.phone");
        Exclusive identity = mark(factory, "username", "IdentityAccount.username");
        assertThat(alone(username)).isTrue();
        assertThat(alone(phone)).isTrue();
        assertThat(alone(identity)).isTrue();
        assertThat(query("select count(distinct pid) from pg_locks where locktype = 'advisory'"))
                .isEqualTo(1);
        assertThat(marksInTheDatabase()).isEqualTo(3);

        Exclusive elsewhere = mark(anotherProcess, "phone", "Account.phone");
        assertThat(alone(elsewhere)).isFalse();
        assertThat(alone(username)).isTrue();
        assertThat(alone(phone)).isFalse();

        username.release();
        assertThat(alone(phone)).isFalse();
        elsewhere.release();
        assertThat(alone(phone)).isTrue();
        phone.release();
        identity.release();
        assertThat(marksInTheDatabase()).isZero();
    }

    @Test
    void theSameColumnIsTheSameHoweverTheMappingNamesIt() {
        EntityManagerFactory qualified = database.anotherFactory(
                Map.of(
                        "hibernate.default_schema",
                        "public",
                        "jakarta.persistence.schema-generation.database.action",
                        "none"),
                Account.class);
        open.add(qualified);
        Exclusive first = mark(database.factory());
        Exclusive second = mark(qualified, "username", "public.Account.username");
        assertThat(alone(first)).isTrue();
        assertThat(alone(second)).isFalse();
    }

    @Test
    void aTerminatedConnectionIsNoticedAndTheOtherIsAloneUntilTheMarkIsBack() {
        Exclusive first = mark(database.factory());
        Exclusive second = mark(anotherProcess);
        assertThat(alone(first)).isTrue();
        assertThat(alone(second)).isFalse();
        second.release();
        assertThat(alone(first)).isTrue();

        query("select count(pg_terminate_backend(pid, 10000)) from pg_locks where locktype = 'advisory'");
        assertThat(alone(second)).isTrue();
        assertThat(first.standing()).as("the second may have written meanwhile").isNotEqualTo(Standing.ALONE);
        assertThat(alone(first)).isFalse();
        assertThat(second.standing()).isNotEqualTo(Standing.ALONE);
        second.release();
        assertThat(alone(first)).isTrue();
    }

    @Test
    void aLostMarkIsToldOnceEvenIfNobodyElseIsSeen() {
        Exclusive first = mark(database.factory());
        assertThat(alone(first)).isTrue();
        query("select count(pg_terminate_backend(pid, 10000)) from pg_locks where locktype = 'advisory'");
        assertThat(first.standing()).isNotEqualTo(Standing.ALONE);
        assertThat(first.standing()).as("not without being set anew").isNotEqualTo(Standing.ALONE);
        assertThat(alone(first)).isTrue();
    }

    @Test
    void aDatabaseThatCannotBeAskedIsNoSolitude() {
        TestDatabase gone = TestDatabase.on(Engine.POSTGRESQL, Map.of(), Account.class);
        Exclusive mark = mark(gone.factory());
        assertThat(alone(mark)).isTrue();
        gone.close();
        assertThatThrownBy(() -> alone(mark)).isInstanceOf(StoreException.class);
        mark.release();
    }

    @Test
    void closingTheFactoryTakesTheMarksAway() {
        EntityManagerFactory factory = database.anotherFactory(NO_CHANGES, Account.class);
        assertThat(alone(mark(factory))).isTrue();
        factory.close();
        Eventually.holds("the marks are gone", () -> marksInTheDatabase() == 0);
        assertThat(alone(mark(database.factory()))).isTrue();
    }

    @Test
    void theConnectionGoesBackAsItCame() throws SQLException {
        EntityManagerFactory factory = database.anotherFactory(
                Map.of(
                        "hibernate.connection.pool_size", "2",
                        "hibernate.connection.autocommit", "false",
                        "jakarta.persistence.schema-generation.database.action", "none"),
                Account.class);
        open.add(factory);
        Exclusive mark = mark(factory);
        assertThat(alone(mark)).isTrue();
        assertThat(query("select count(*) from pg_stat_activity where datname = current_database()"
                        + " and state like 'idle in transaction%'"))
                .as("the kept connection stays outside transactions")
                .isZero();
        mark.release();
        for (int connection = 0; connection < 2; connection++) {
            assertThat(((RegisteredIdentifierStore) mark).exists("alice", Duration.ofSeconds(5)))
                    .isEqualTo(Presence.ABSENT);
        }
        assertThat(marksInTheDatabase()).isZero();
    }

    @Test
    void aProcessThatIsKilledIsGone() throws Exception {
        Exclusive own = mark(database.factory());
        assertThat(alone(own)).isTrue();
        long column = query("select classid::bigint from pg_locks where locktype = 'advisory'");
        Process other = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        database.url(),
                        String.valueOf((int) column))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = other.inputReader()) {
            assertThat(said.readLine()).isEqualTo(OtherProcess.MARKED);
            assertThat(alone(own)).as("while the other lives").isFalse();
        } finally {
            other.destroyForcibly().waitFor();
        }
        Eventually.holds("the mark of the killed process is gone", () -> alone(own));
    }

    /**
     * Marks the column as Untaken would, says so, and waits to be killed. With Hibernate it would take long to start.
     */
    static final class OtherProcess {
        static final String MARKED = "marked";

        private OtherProcess() {}

        public static void main(String[] arguments) throws Exception {
            try (Connection connection = DriverManager.getConnection(arguments[0]);
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_lock(" + arguments[1] + ", 1)");
                System.out.println(MARKED);
                Thread.currentThread().join();
            }
        }
    }

    private static AvailabilityChecker checker(EntityManagerFactory factory) {
        return AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(factory))
                .recheckTimeout(Duration.ofMinutes(1))
                .build();
    }

    @Test
    void whatEitherOfTwoCheckersWritesTheOtherNeverCallsAvailable() {
        EntityManagerFactory other = database.anotherFactory(NO_CHANGES, IdentityAccount.class);
        open.add(other);
        EntityManagerFactory one = database.anotherFactory(NO_CHANGES, IdentityAccount.class);
        open.add(one);
        AvailabilityChecker first = checker(one);
        open.add(first);
        Eventually.holds("the first is ready", () -> first.state(USERNAME) == KindState.READY);

        AvailabilityChecker second = checker(other);
        open.add(second);
        Eventually.holds("the first hears of the second", () -> first.state(USERNAME) == KindState.DEGRADED);
        other.runInTransaction(entities -> entities.persist(new IdentityAccount("alice.w")));
        one.runInTransaction(entities -> entities.persist(new IdentityAccount("bob.w77")));
        for (AvailabilityChecker checker : List.of(first, second)) {
            assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "bob.w77").status()).isEqualTo(Status.TAKEN);
        }

        second.close();
        Eventually.holds("the first is ready", () -> first.state(USERNAME) == KindState.READY);
        assertThat(first.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
    }
}

package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Stamped;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.SharedSessionContract;
import org.hibernate.cfg.TransactionSettings;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Hibernate on a data source that is watched: what is written is heard at Hibernate's provider and at the data source. */
@Tag("ci")
@ParameterizedClass
@EnumSource
class WatchedHibernateTest {
    private static final IdentifierTable USERNAMES = IdentifierTable.of("Account", "username");
    private static final IdentifierTable PHONES = IdentifierTable.of("Account", "phone");

    private final RecordingSink sink = new RecordingSink();
    private final AtomicLong ids = new AtomicLong(1_000);
    private final HikariDataSource pool = new HikariDataSource();
    private final TestDatabase raw;
    private EntityManagerFactory factory;

    WatchedHibernateTest(Engine engine) {
        raw = TestDatabase.on(engine, Map.of(), Account.class, Stamped.class);
        pool.setJdbcUrl(raw.url());
        pool.setMaximumPoolSize(4);
    }

    @AfterEach
    void close() {
        if (factory != null) {
            factory.close();
        }
        pool.close();
        raw.close();
    }

    /** A factory whose entities are heard, on a data source that is watched for these tables. */
    private SessionFactory watchedFor(IdentifierTable... tables) {
        return watched(Map.of(), tables);
    }

    private SessionFactory watched(Map<String, ?> settings, IdentifierTable... tables) {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(pool, tables);
        identifiers.stores();
        factory = on(WatchedDataSource.of(pool, identifiers), settings);
        Looks.at(identifiers).connect(sink);
        Looks.at(JpaIdentifiers.of(factory)).connect(sink);
        return factory.unwrap(SessionFactory.class);
    }

    private EntityManagerFactory on(DataSource dataSource, Map<String, ?> settings) {
        return on(dataSource, settings, Account.class);
    }

    private EntityManagerFactory on(DataSource dataSource, Map<String, ?> settings, Class<?>... entities) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("jakarta.persistence.nonJtaDataSource", dataSource);
        all.put("jakarta.persistence.schema-generation.database.action", "none");
        return raw.anotherFactory(all, entities);
    }

    private void nativeInsert(SharedSessionContract session, String name) {
        session.createNativeMutationQuery("insert into Account (id, username) values (:id, :name)")
                .setParameter("id", ids.incrementAndGet())
                .setParameter("name", name)
                .executeUpdate();
    }

    private static void bulkUpdate(SharedSessionContract session) {
        session.createMutationQuery("update Account set username = concat(username, '2')")
                .executeUpdate();
    }

    /** Each call sends one statement, which both hear, the one at the provider first. */
    @Test
    void whatIsUnderstoodIsToldByBothAndOverWhenTheOutermostCallHasReturned() {
        watchedFor(USERNAMES, PHONES).inTransaction(session -> {
            nativeInsert(session, "alice");
            session.createMutationQuery("update Account set username = :name where phone is null")
                    .setParameter("name", "bob")
                    .executeUpdate();
            sink.note("sent");
        });
        assertThat(sink.lines().subList(0, 5))
                .containsExactly(
                        "T1 adding username alice",
                        "T2 adding username alice",
                        "T3 adding username bob",
                        "T4 adding username bob",
                        "sent");
        assertThat(sink.lines().subList(5, 9)).containsExactlyInAnyOrder("T1 over", "T2 over", "T3 over", "T4 over");
    }

    @Test
    void whatIsNotUnderstoodIsUnseenByBoth() {
        watchedFor(USERNAMES, PHONES).inTransaction(WatchedHibernateTest::bulkUpdate);
        assertThat(sink.lines())
                .containsExactlyInAnyOrder("T1 unseen username", "T2 unseen username", "T1 over", "T2 over");
    }

    @Test
    void entitiesAreToldByBoth() {
        SessionFactory sessions = watchedFor(USERNAMES, PHONES);
        sessions.inTransaction(session -> session.persist(Account.named("alice")));
        sessions.inTransaction(
                session -> session.createQuery("from Account", Account.class).getSingleResult().username = "bob");
        assertThat(sink.lines())
                .contains("T1 adding username alice", "T2 adding username alice")
                .contains("T3 adding username bob", "T4 adding username bob")
                .noneMatch(line -> line.contains("unseen"));
        assertThat(sink.open()).isZero();
    }

    @Test
    void underAutocommitAndInAStatelessSessionItIsTheSame() {
        Map<String, ?> settings = Map.of(TransactionSettings.ALLOW_UPDATE_OUTSIDE_TRANSACTION, true);
        try (var session = watched(settings, USERNAMES, PHONES).openStatelessSession()) {
            nativeInsert(session, "alice");
            assertThat(sink.take())
                    .containsExactly("T1 adding username alice", "T2 adding username alice", "T2 over", "T1 over");
            bulkUpdate(session);
            assertThat(sink.take()).containsExactly("T3 unseen username", "T4 unseen username", "T4 over", "T3 over");
        }
    }

    @Test
    void whatTheDataSourceIsNotWatchedForIsHeardAtTheProvider() {
        SessionFactory sessions = watchedFor(USERNAMES);
        sessions.inTransaction(session -> session.createNativeMutationQuery(
                        "insert into Account (id, username, phone) values (1, 'alice', '+4930')")
                .executeUpdate());
        assertThat(sink.lines().stream().filter(line -> line.contains("adding")))
                .containsExactlyInAnyOrder(
                        "T1 adding username alice", "T1 adding phone +4930", "T2 adding username alice");
        assertThat(sink.lines()).noneMatch(line -> line.contains("unseen"));
    }

    /** No watch of a data source can know it, and the mapping says so. */
    @Test
    void whatATriggerMakesIsUnseen() {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(pool, IdentifierTable.of("Stamped", "username"));
        identifiers.stores();
        factory = on(WatchedDataSource.of(pool, identifiers), Map.of(), Stamped.class);
        Looks.at(identifiers).connect(sink);
        Looks.at(JpaIdentifiers.of(factory)).connect(sink);
        try (var session = factory.unwrap(SessionFactory.class).openStatelessSession()) {
            session.beginTransaction();
            Stamped stamped = new Stamped();
            stamped.id = 1;
            stamped.display = "Alice";
            session.insert(stamped);
            assertThat(sink.take()).startsWith("T1 unseen username");
            session.createNativeMutationQuery("update Stamped set username = 'bob'")
                    .executeUpdate();
            assertThat(sink.lines()).contains("T2 adding username bob", "T2 unseen username");
            session.getTransaction().commit();
        }
    }

    @Test
    void aWatchThatAnotherCheckerHearsSilencesNobody() {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(pool, USERNAMES, PHONES);
        identifiers.stores();
        factory = on(WatchedDataSource.of(pool, identifiers), Map.of());
        Looks.at(identifiers).connect(new RecordingSink());
        Looks.at(JpaIdentifiers.of(factory)).connect(sink);
        factory.unwrap(SessionFactory.class).inTransaction(session -> nativeInsert(session, "alice"));
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 over");
    }

    @Test
    void aFactoryOnThePoolItselfIsHeardAtItsProvider() {
        SessionFactory sessions = watchedFor(USERNAMES, PHONES);
        RecordingSink other = new RecordingSink();
        try (EntityManagerFactory unwatched = on(pool, Map.of())) {
            Looks.at(JpaIdentifiers.of(unwatched)).connect(other);
            unwatched.unwrap(SessionFactory.class).inTransaction(session -> nativeInsert(session, "alice"));
            assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 over");
            assertThat(other.lines()).containsExactly("T1 adding username alice", "T1 over");
        }
        sink.take();
        sessions.inTransaction(session -> nativeInsert(session, "bob"));
        assertThat(sink.lines()).contains("T2 adding username bob", "T3 adding username bob");
    }

    @Test
    void aPoolAroundTheWatchChangesNothing() {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(pool, USERNAMES, PHONES);
        identifiers.stores();
        Looks.at(identifiers); // before the other pool takes all that this one has
        try (HikariDataSource around = new HikariDataSource()) {
            around.setDataSource(WatchedDataSource.of(pool, identifiers));
            factory = on(around, Map.of());
            identifiers.connect(sink);
            Looks.at(JpaIdentifiers.of(factory)).connect(sink);
            factory.unwrap(SessionFactory.class).inTransaction(session -> nativeInsert(session, "alice"));
            assertThat(sink.lines())
                    .contains("T1 adding username alice", "T2 adding username alice")
                    .noneMatch(line -> line.contains("unseen"));
        }
    }

    /** Whatever the factory's data source is, this is what the session writes over. */
    @Test
    void aSessionOnAConnectionOfThePoolIsUnseen() throws Exception {
        SessionFactory sessions = watchedFor(USERNAMES, PHONES);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (var session = sessions.withOptions().connection(connection).openSession()) {
                session.beginTransaction();
                nativeInsert(session, "alice");
                session.getTransaction().commit();
            }
        }
        assertThat(sink.lines()).contains("T1 unseen username", "T1 unseen phone");
    }

    /** Nobody on Hibernate's side knows what such a session sends; the watch does. */
    @Test
    void aSessionWithAnInspectorOfItsOwnIsWatched() {
        StatementInspector own = sql -> sql;
        try (var session = watchedFor(USERNAMES, PHONES)
                .withOptions()
                .statementInspector(own)
                .openSession()) {
            session.beginTransaction();
            nativeInsert(session, "alice");
            session.getTransaction().commit();
        }
        assertThat(sink.lines()).startsWith("T1 adding username alice", "T2 adding username alice");
    }

    @Test
    void aRollbackAfterATextThatMayCommitProvesNothingToEither() {
        try (var session = watchedFor(USERNAMES, PHONES).openSession()) {
            session.beginTransaction();
            session.persist(Account.named("alice"));
            session.flush();
            session.createNativeMutationQuery("set time zone 'UTC'").executeUpdate();
            session.getTransaction().rollback();
        }
        assertThat(sink.lines()).noneMatch(line -> line.endsWith("rolledBack"));
    }

    // ---------------------------------------------------------------- with a checker that hears both

    @Test
    void noNameIsForgottenAndWhatTheWatchUnderstandsCostsNoScan() {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(pool, USERNAMES, PHONES);
        factory = on(WatchedDataSource.of(pool, identifiers), Map.of());
        SessionFactory sessions = factory.unwrap(SessionFactory.class);
        sessions.inTransaction(session -> session.persist(Account.named("from-before")));
        try (AvailabilityChecker checker = ReadyCheckers.marked(JpaIdentifiers.of(factory), identifiers)) {
            long asked = System.nanoTime();
            sessions.inTransaction(session -> session.persist(Account.named("alice")));
            sessions.inTransaction(session -> {
                nativeInsert(session, "bob");
                assertThat(status(checker, "bob")).isEqualTo(Status.AVAILABLE);
            });
            sessions.inTransaction(
                    session -> session.createMutationQuery("update Account set username = :name where username = 'bob'")
                            .setParameter("name", "carol")
                            .executeUpdate());
            try (var session = sessions.openSession()) {
                session.beginTransaction();
                nativeInsert(session, "never");
                session.getTransaction().rollback();
            }
            assertAnswersAsTheDatabase(checker, "from-before", "alice", "bob", "carol", "never", "stranger");
            assertThat(checker.state(IdentifierKind.USERNAME)).isEqualTo(KindState.READY);
            assertThat(ReadyCheckers.scannedSince(asked, checker, IdentifierKind.USERNAME))
                    .isFalse();

            sessions.inTransaction(session -> {
                bulkUpdate(session);
                assertThat(checker.state(IdentifierKind.USERNAME)).isEqualTo(KindState.DEGRADED);
            });
            for (String name : new String[] {"alice2", "carol2", "from-before2"}) {
                assertThat(status(checker, name)).as(name).isEqualTo(Status.TAKEN);
            }
            Eventually.holds("scanned", () -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
            assertAnswersAsTheDatabase(checker, "alice", "alice2", "carol", "carol2", "from-before2", "stranger2");
        }
    }

    private static Status status(AvailabilityChecker checker, String name) {
        return checker.check(IdentifierKind.USERNAME, name).status();
    }

    private void assertAnswersAsTheDatabase(AvailabilityChecker checker, String... names) {
        for (String name : names) {
            boolean stored;
            try (Connection connection = pool.getConnection();
                    PreparedStatement count =
                            connection.prepareStatement("select count(*) from Account where username = ?")) {
                count.setString(1, name);
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    stored = row.getInt(1) > 0;
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            assertThat(status(checker, name)).as(name).isEqualTo(stored ? Status.TAKEN : Status.AVAILABLE);
        }
    }
}

package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Computed;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.BeforeCompletionCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** However a transaction ends, what it told is over then, and nothing of Untaken's gets in its way. */
class TransactionEndsTest {
    private final RecordingSink sink = new RecordingSink();
    private TestDatabase database =
            TestDatabase.with(Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "5"), Account.class, IdentityAccount.class);
    private final JpaIdentifiers source = JpaIdentifiers.of(database.factory());

    @AfterEach
    void close() {
        database.close();
    }

    private void connect() {
        Looks.at(source).connect(sink);
    }

    @Test
    void aRollbackIsAnEndLikeAnother() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            entities.getTransaction().rollback();
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void aDuplicateInTheFlushOfTheCommitIsOver() {
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            assertThatThrownBy(() -> entities.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void aDuplicateInsidePersistIsOver() {
        database.inTransaction(entities -> entities.persist(new IdentityAccount("alice")));
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            assertThatThrownBy(() -> entities.persist(new IdentityAccount("alice")))
                    .isInstanceOf(RuntimeException.class);
            entities.getTransaction().rollback();
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void aRefusedInsertThatTheApplicationCatchesEndsNothing() {
        connect();
        try (StatelessSession session = database.sessions().openStatelessSession()) {
            Transaction transaction = session.beginTransaction();
            session.insert(new IdentityAccount("alice"));
            assertThatThrownBy(() -> session.insert(new IdentityAccount("alice")))
                    .isInstanceOf(RuntimeException.class);
            transaction.commit();
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "adding username alice", "over");
    }

    @Test
    void aFailureAfterTheLastFlushIsOver() {
        connect();
        try (Session session = database.sessions().openSession()) {
            session.beginTransaction();
            session.persist(Account.named("alice"));
            session.flush();
            BeforeCompletionCallback failing = ignored -> {
                throw new IllegalStateException("refused by a later callback");
            };
            callbacks(session).registerCallback(failing);
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    /** Its rollback answers nothing: as with MariaDB's driver, which sends none if it has heard of no transaction. */
    @Test
    void whatWasUnderWayWhenTheConnectionBrokeLingers() {
        String url = Engine.POSTGRESQL.create();
        Map<String, Object> settings = Map.of("jakarta.persistence.nonJtaDataSource", silentlyRollingBack(url));
        try (TestDatabase breaking = TestDatabase.at(Engine.POSTGRESQL, url, settings, IdentityAccount.class)) {
            breaking.sql("create function end_session() returns trigger language plpgsql as"
                    + " $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$");
            breaking.sql(
                    "create trigger breaks before insert on IdentityAccount for each row when (new.username = 'bob')"
                            + " execute function end_session()");
            Looks.at(JpaIdentifiers.of(breaking.factory())).connect(sink);
            for (String name : List.of("alice", "bob", "carol")) {
                try (Session session = breaking.sessions().openSession()) {
                    session.beginTransaction();
                    try {
                        session.persist(new IdentityAccount(name));
                    } catch (RuntimeException e) {
                        sink.note("failed");
                    }
                    session.getTransaction().rollback();
                }
            }
        }
        assertThat(sink.texts())
                .containsExactly(
                        "adding username alice",
                        "over",
                        "adding username bob",
                        "failed",
                        "lingers",
                        "adding username carol",
                        "over",
                        "unseen username"); // the factory is closed, and others may go on
    }

    private static DataSource silentlyRollingBack(String url) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        return handingOn(DataSource.class, database);
    }

    private static <T> T handingOn(Class<T> type, T target) {
        return StandIn.of(type, (method, arguments) -> {
            if (method.getName().equals("rollback") && ((Connection) target).isClosed()) {
                return null;
            }
            Object result = method.invoke(target, arguments);
            return result instanceof Connection connection ? handingOn(Connection.class, connection) : result;
        });
    }

    @Test
    void aRollbackOnAnotherThreadIsAnEndLikeAnother() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            OtherThread.run(() -> entities.getTransaction().rollback());
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void whatASessionWroteThatIsClosedInItsTransactionWasAnswered() {
        connect();
        database.stateless(session -> {
            session.beginTransaction();
            session.insert(new IdentityAccount("alice"));
        });
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void aSessionUsedAgainStartsANewRecord() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            for (String name : new String[] {"alice", "bob"}) {
                entities.getTransaction().begin();
                entities.persist(Account.named(name));
                entities.getTransaction().commit();
            }
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over", "adding username bob", "over");
    }

    @Test
    void aChildSessionSharesTheTransactionOfItsParent() {
        connect();
        try (Session parent = database.sessions().openSession()) {
            parent.beginTransaction();
            parent.persist(new IdentityAccount("alice"));
            try (Session child = parent.sessionWithOptions().connection().open()) {
                child.persist(new IdentityAccount("bob"));
                child.flush();
            }
            sink.note("child closed");
            parent.getTransaction().commit();
        }
        assertThat(sink.texts())
                .containsExactly("adding username alice", "adding username bob", "child closed", "over");
    }

    @Test
    void whatAChildSessionWroteAloneIsOverWithItsParent() {
        connect();
        try (Session parent = database.sessions().openSession()) {
            parent.beginTransaction();
            try (Session child = parent.sessionWithOptions().connection().open()) {
                child.persist(new IdentityAccount("bob"));
                child.flush();
            }
            sink.note("child closed");
            parent.getTransaction().commit();
        }
        assertThat(sink.texts()).containsExactly("adding username bob", "child closed", "over");
    }

    @Test
    void anExceptionOfAnotherCallbackChangesNothing() {
        connect();
        try (Session session = database.sessions().openSession()) {
            session.beginTransaction();
            AfterCompletionCallback failing = (success, ignored) -> {
                throw new IllegalStateException("broken callback of the application");
            };
            callbacks(session).registerCallback(failing);
            session.persist(new IdentityAccount("alice"));
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
            assertThat(sink.texts()).containsExactly("adding username alice", "over");
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    private static org.hibernate.engine.spi.TransactionCompletionCallbacks callbacks(Session session) {
        return session.unwrap(SharedSessionContractImplementor.class).getTransactionCompletionCallbacks();
    }

    @Test
    void aFaultOfTheRegistryAtTheEndDoesNotReachTheApplication() {
        Looks.at(source).connect(() -> new Broken(false));
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        assertThat(sink.texts()).containsExactly("adding", "over", "ended");
    }

    @Test
    void aKeyThatCannotBeAnnouncedIsUnseen() {
        source.connect(() -> new Broken(true));
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        assertThat(sink.texts()).startsWith("adding", "unseen");
    }

    /** Fails at the end, or at the telling already. */
    private final class Broken implements IdentifierWrite {
        private final boolean refuses;

        Broken(boolean refuses) {
            this.refuses = refuses;
        }

        @Override
        public void adding(IdentifierKind kind, String value) {
            sink.note("adding");
            if (refuses) {
                throw new IllegalStateException("the registry is broken");
            }
        }

        @Override
        public void unseen(IdentifierKind kind) {
            sink.note("unseen");
            throw new AssertionError("broken");
        }

        @Override
        public void over() {
            sink.note("over");
            throw new AssertionError("broken");
        }

        @Override
        public void ended() {
            sink.note("ended");
            throw new AssertionError("broken");
        }
    }

    // ---------------------------------------------------------------- nothing is left behind

    /** What Hibernate finds in a session when it is closed it complains of, once for each transaction that was rolled back. */
    @Test
    void aTransactionThatIsRolledBackLeavesNothingInItsSession() {
        connect();
        try (LoggedLines hibernate = new LoggedLines("org.hibernate");
                Session session = database.sessions().openSession()) {
            session.beginTransaction();
            session.persist(new IdentityAccount("alice"));
            session.getTransaction().rollback();
            session.close();
            assertThat(hibernate.warnings()).isEmpty();
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void aTransactionAfterOneThatWasRolledBackCommits() {
        try (TestDatabase computing = TestDatabase.of(Computed.class)) {
            Looks.at(JpaIdentifiers.of(computing.factory())).connect(sink);
            try (Session session = computing.sessions().openSession()) {
                for (String name : List.of("Alice", "Bob")) {
                    session.beginTransaction();
                    session.persist(new Computed(name));
                    session.flush();
                    if (name.equals("Alice")) {
                        session.getTransaction().rollback();
                    } else {
                        session.getTransaction().commit();
                    }
                }
            }
            assertThat(sink.texts()).containsExactly("unseen username", "over", "unseen username", "over");
        }
    }

    /** Hibernate lets a transaction go on in which a statement has waited for a lock in vain. */
    @Test
    void aNameThatTheDatabaseMakesIsUnseenBeforeItIsSent() throws SQLException {
        try (TestDatabase computing = TestDatabase.of(Computed.class)) {
            computing.sql("alter table Computed add unique (username)");
            Looks.at(JpaIdentifiers.of(computing.factory())).connect(sink);
            try (Connection other = computing.connection();
                    Statement statement = other.createStatement();
                    Session session = computing.sessions().openSession()) {
                other.setAutoCommit(false);
                statement.execute("insert into Computed (id, display) values (1000, 'Bob')");
                session.beginTransaction();
                session.doWork(connection -> connection.createStatement().execute("set lock_timeout 20"));
                session.persist(new Computed("Bob"));
                assertThatThrownBy(session::flush).isInstanceOf(LockTimeoutException.class);
                session.clear();
                assertThat(sink.texts()).startsWith("unseen username");
                session.getTransaction().commit();
            }
        }
    }

    /** Its POST event shows no name, or the one that was there before. */
    @Test
    void whatTheDatabaseMakesForAStatelessSessionIsUnseen() {
        try (TestDatabase computing = TestDatabase.of(Computed.class)) {
            Looks.at(JpaIdentifiers.of(computing.factory())).connect(sink);
            Computed bob = new Computed("Bob");
            computing.statelessInTransaction(session -> session.insert(bob));
            assertThat(sink.takeTexts()).containsExactly("unseen username", "over");
            bob.display = "Carol";
            computing.statelessInTransaction(session -> session.update(bob));
            assertThat(sink.takeTexts()).contains("unseen username", "over");
        }
    }

    @Test
    void whatIsWrittenOverAConnectionThatIsInUseAtTheConnectIsUnseen() {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            connect();
            sink.note("connected");
            entities.persist(Account.named("bob"));
            entities.flush();
            entities.getTransaction().commit();
        }
        assertThat(sink.texts().subList(0, 2)).containsExactlyInAnyOrder("unseen phone", "unseen username");
        assertThat(sink.texts().subList(2, 4)).containsExactly("connected", "over");
    }

    @Test
    void transactionsThatEndedBeforeTheConnectAreNotTold() {
        database.inTransaction(entities -> entities.persist(Account.named("alice")));
        connect();
        assertThat(sink.texts()).isEmpty();
    }

    @Test
    void whatIsOpenEndsForACheckerThatLeaves() {
        connect();
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice"));
            entities.flush();
            source.disconnect();
            sink.note("disconnected");
            entities.persist(Account.named("bob"));
            entities.getTransaction().commit();
        }
        assertThat(sink.texts()).containsExactly("adding username alice", "over", "disconnected");
    }

    @Test
    void oneFactoryHasOneChecker() {
        connect();
        assertThatThrownBy(() -> Looks.at(JpaIdentifiers.of(database.factory())).connect(sink))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another checker");
        source.disconnect();
        Looks.at(JpaIdentifiers.of(database.factory())).connect(sink);
    }

    @Test
    void aSecondFactoryIsHeardApart() {
        connect();
        RecordingSink other = new RecordingSink();
        try (TestDatabase second = TestDatabase.of(Account.class)) {
            Looks.at(JpaIdentifiers.of(second.factory())).connect(other);
            second.inTransaction(entities -> entities.persist(Account.named("alice")));
        }
        assertThat(sink.texts()).isEmpty();
        assertThat(other.lines()).startsWith("T1 adding username alice", "T1 over");
    }
}

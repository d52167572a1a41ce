package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions that end in another way than Hibernate's callbacks say, or without any, each with a real checker.
 * Afterwards a name is taken exactly if the database has it.
 */
@ParameterizedClass
@EnumSource(Engine.class)
class LyingCallbacksTest {
    private static final Map<String, String> BATCHED = Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "5");

    private static CheckedDatabase checked;

    @Parameter
    private Engine engine;

    private KindStats before;

    @BeforeParameterizedClassInvocation
    static void start(Engine engine) {
        checked = new CheckedDatabase(TestDatabase.on(engine, BATCHED, Account.class, IdentityAccount.class));
    }

    @AfterParameterizedClassInvocation
    static void close() {
        checked.close();
    }

    @BeforeEach
    void remember() {
        before = checked.stats();
    }

    private long whitelisted() {
        return checked.stats().memory().whitelisted() - before.memory().whitelisted();
    }

    private void inTransaction(Consumer<Session> work) {
        checked.database().sessions().inTransaction(work::accept);
    }

    /** Flushes the work inside a savepoint of plain JDBC and takes it back; the transaction then commits. */
    private void inRolledBackSavepoint(Consumer<Session> work) {
        inTransaction(session -> session.doWork(connection -> {
            Savepoint savepoint = connection.setSavepoint();
            work.accept(session);
            session.flush();
            connection.rollback(savepoint);
            session.clear();
        }));
    }

    // ---------------------------------------------------------------- savepoints

    @Test
    void anInsertInARolledBackSavepointLeavesTheNameAvailable() {
        String name = checked.freshName();
        inRolledBackSavepoint(session -> session.persist(Account.named(name)));
        checked.assertAvailable(name);
        checked.signUp(name);
        checked.assertTaken(name);
    }

    @Test
    void aDeleteInARolledBackSavepointKeepsTheNameTaken() {
        String name = checked.member();
        inRolledBackSavepoint(session -> session.remove(find(session, name)));
        checked.assertTaken(name);
        assertThat(whitelisted()).isZero();
    }

    @Test
    void aRenameInARolledBackSavepointKeepsTheOldNameAndFreesTheNew() {
        String name = checked.member();
        String wanted = checked.freshName();
        inRolledBackSavepoint(session -> find(session, name).username = wanted);
        checked.assertTaken(name);
        checked.assertAvailable(wanted);
    }

    @Test
    void aDeleteThatWasTakenBackAndThenHappensFreesTheName() {
        String name = checked.member();
        String other = checked.member();
        inRolledBackSavepoint(session -> session.remove(find(session, name)));
        inTransaction(session -> session.remove(find(session, name)));
        checked.assertAvailable(name);
        checked.assertTaken(other);
    }

    // ---------------------------------------------------------------- sessions nobody ends

    @Test
    void aNameOfASessionThatIsClosedInItsTransactionIsAnsweredByTheDatabase() {
        String name = checked.freshName();
        checked.database().stateless(session -> {
            session.beginTransaction();
            session.insert(new IdentityAccount(name));
        });
        checked.assertAnswersAsTheDatabase(name);
        assertThat(whitelisted()).isZero();
    }

    @Test
    void aSessionDroppedWithItsTransactionOpenMayStillCommit() throws SQLException {
        String name = checked.freshName();
        Connection connection = dropSession(name);
        System.gc();
        checked.signUp(checked.freshName());
        checked.assertAvailable(name);
        assertThat(whitelisted()).isZero();
        connection.commit();
        checked.assertTaken(name);
        connection.close();
    }

    /** The connection that the dropped session leaves in its transaction. */
    private Connection dropSession(String name) {
        StatelessSession session = checked.database().sessions().openStatelessSession();
        session.beginTransaction();
        session.insert(new IdentityAccount(name));
        return session.doReturningWork(connection -> connection);
    }

    // ---------------------------------------------------------------- refused statements

    @Test
    void aDuplicateInABatchLeavesTheOtherNamesOfTheBatchAvailable() {
        String taken = checked.member();
        String[] free = {checked.freshName(), checked.freshName()};
        assertThatThrownBy(() -> inTransaction(session -> {
                    session.persist(Account.named(free[0]));
                    session.persist(Account.named(taken));
                    session.persist(Account.named(free[1]));
                }))
                .isInstanceOf(RuntimeException.class);
        checked.assertTaken(taken);
        checked.assertAvailable(free);
    }

    @Test
    void aRefusedStatementThatTheApplicationCatchesProvesNothing() {
        String name = checked.freshName();
        String taken = checked.member();
        try (StatelessSession session = checked.database().sessions().openStatelessSession()) {
            session.beginTransaction();
            session.insert(new IdentityAccount(name));
            assertThatThrownBy(() -> session.doWork(connection -> {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("insert into IdentityAccount (username) values ('" + name + "')");
                        }
                    }))
                    .isInstanceOf(RuntimeException.class);
            try {
                session.getTransaction().commit();
            } catch (RuntimeException refused) {
                // PostgreSQL goes on with no transaction in which a statement failed
            }
        }
        assertThat(checked.isCommitted(name)).isEqualTo(engine == Engine.H2);
        checked.assertAnswersAsTheDatabase(name, taken);
    }

    @Test
    void aDuplicateInPersistThatTheApplicationCatchesProvesNothing() {
        String name = checked.freshName();
        String taken = checked.freshName();
        inTransaction(session -> session.persist(new IdentityAccount(taken)));
        try (Session session = checked.database().sessions().openSession()) {
            session.beginTransaction();
            session.persist(new IdentityAccount(name));
            assertThatThrownBy(() -> session.persist(new IdentityAccount(taken)))
                    .isInstanceOf(RuntimeException.class);
            try {
                session.getTransaction().commit();
            } catch (RuntimeException refused) {
                // as Hibernate or the database likes
            }
        }
        checked.assertAnswersAsTheDatabase(name, taken);
    }

    @Test
    void aTransactionThatRunsIntoATimeoutLeavesItsNameAvailable() throws SQLException {
        String locked = checked.member();
        String name = checked.freshName();
        try (Connection other = checked.database().connection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("update Account set city = 'x' where username = '" + locked + "'");
            }
            assertThatThrownBy(() -> inTransaction(session -> {
                        session.createNativeMutationQuery(
                                        engine == Engine.H2 ? "set lock_timeout 20" : "set local lock_timeout = '20ms'")
                                .executeUpdate();
                        session.persist(Account.named(name));
                        find(session, locked).city = "y";
                        session.flush();
                    }))
                    .isInstanceOf(RuntimeException.class);
            other.rollback();
        }
        checked.assertAvailable(name);
        checked.assertTaken(locked);
    }

    @Test
    void aTransactionThatTheServerEndsLeavesItsNameAvailable() {
        assumeThat(engine).isEqualTo(Engine.POSTGRESQL);
        String name = checked.freshName();
        assertThatThrownBy(() -> inTransaction(session -> {
                    session.persist(Account.named(name));
                    session.flush();
                    session.createNativeQuery("select pg_terminate_backend(pg_backend_pid())", Boolean.class)
                            .getSingleResult();
                }))
                .isInstanceOf(RuntimeException.class);
        checked.assertAvailable(name);
    }

    @Test
    void aTransactionMarkedForRollbackLeavesItsNameAvailable() {
        String name = checked.freshName();
        try (EntityManager entities = checked.database().factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named(name));
            entities.flush();
            entities.getTransaction().setRollbackOnly();
            entities.getTransaction().commit();
        }
        checked.assertAvailable(name);
    }

    // ---------------------------------------------------------------- refused commits

    @Test
    void aCommitRefusedForADeferredConstraintLeavesItsOtherNamesAvailable() {
        assumeThat(engine).as("has deferred constraints").isEqualTo(Engine.POSTGRESQL);
        checked.database().sql("alter table Account add constraint late unique (city) deferrable initially deferred");
        String first = checked.freshName();
        String second = checked.freshName();
        inTransaction(session -> session.persist(living(first, "Rome")));
        assertThatThrownBy(() -> inTransaction(session -> session.persist(living(second, "Rome"))))
                .isInstanceOf(RuntimeException.class);
        checked.assertTaken(first);
        checked.assertAvailable(second);
        checked.signUp(second);
        checked.assertTaken(second);
    }

    private static Account living(String name, String city) {
        Account account = Account.named(name);
        account.city = city;
        return account;
    }

    @Test
    void aCommitRefusedForASerializationFailureLeavesItsNamesAvailable() {
        assumeThat(engine).as("checks serializability at the commit").isEqualTo(Engine.POSTGRESQL);
        String first = checked.freshName();
        String second = checked.freshName();
        try (Session one = checked.database().sessions().openSession();
                Session two = checked.database().sessions().openSession()) {
            for (Session session : new Session[] {one, two}) {
                session.beginTransaction();
                session.doWork(connection ->
                        connection.createStatement().execute("set transaction isolation level serializable"));
                session.createQuery("select count(*) from Account", Long.class).getSingleResult();
            }
            one.persist(Account.named(first));
            one.flush();
            two.persist(Account.named(second));
            two.flush();
            one.getTransaction().commit();
            assertThatThrownBy(() -> two.getTransaction().commit()).isInstanceOf(RuntimeException.class);
        }
        checked.assertTaken(first);
        checked.assertAvailable(second);
        checked.signUp(second);
        checked.assertTaken(second);
    }

    // ---------------------------------------------------------------- rollbacks that are none

    @Test
    void aRollbackAfterADefinitionOfDataProvesNothing() {
        String name = checked.freshName();
        try (Session session = checked.database().sessions().openSession()) {
            session.beginTransaction();
            session.persist(Account.named(name));
            session.flush();
            session.createNativeMutationQuery("create table made_by_" + name.replace('.', '_') + " (id int)")
                    .executeUpdate();
            session.getTransaction().rollback();
        }
        assertThat(checked.isCommitted(name))
                .as("H2 commits before each definition")
                .isEqualTo(engine == Engine.H2);
        checked.assertAnswersAsTheDatabase(name);
    }

    @Test
    void whatPlainJdbcCommitsBehindHibernatesBackIsTakenAtOnce() {
        String name = checked.freshName();
        try (Session session = checked.database().sessions().openSession()) {
            session.beginTransaction();
            session.persist(Account.named(name));
            session.flush();
            session.doWork(Connection::commit);
            session.getTransaction().rollback();
            checked.assertTaken(name);
        }
        checked.assertTaken(name);
        assertThat(checked.stats().missesProved()).isZero();
    }

    // ---------------------------------------------------------------- callbacks that throw

    @Test
    void aForeignCallbackThatThrowsAfterTheCommitHidesNoName() {
        String name = checked.freshName();
        try (Session session = checked.database().sessions().openSession()) {
            session.beginTransaction();
            AfterCompletionCallback failing = (success, ignored) -> {
                throw new IllegalStateException("broken callback of the application");
            };
            session.unwrap(SharedSessionContractImplementor.class)
                    .getTransactionCompletionCallbacks()
                    .registerCallback(failing);
            session.persist(new IdentityAccount(name));
            assertThatThrownBy(() -> session.getTransaction().commit()).isInstanceOf(RuntimeException.class);
            checked.assertTaken(name);
        }
        checked.assertTaken(name);
    }

    @Test
    void aFaultOfOurOwnAfterTheCommitHidesNoName() {
        TestDatabase other = TestDatabase.on(engine, BATCHED, Account.class, IdentityAccount.class);
        try (CheckedDatabase faulty = new CheckedDatabase(other, FaultySource::new)) {
            String name = faulty.member();
            faulty.assertTaken(name);
        }
    }

    /** Fails when it is told that a statement is over. */
    private record FaultySource(IdentifierSource source) implements IdentifierSource {
        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return source.stores();
        }

        @Override
        public void connect(WriteSink sink) {
            source.connect(() -> {
                IdentifierWrite write = sink.begin();
                return (IdentifierWrite) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {IdentifierWrite.class}, (p, method, args) -> {
                            if (method.getName().equals("over")) {
                                throw new IllegalStateException("a fault of the registry");
                            }
                            return method.invoke(write, args);
                        });
            });
        }

        @Override
        public void disconnect() {
            source.disconnect();
        }
    }

    @Test
    void aCommitThatIsAcknowledgedAndWasARollbackLeavesTheNameAvailable() {
        assumeThat(engine).as("answers COMMIT with ROLLBACK").isEqualTo(Engine.POSTGRESQL);
        TestDatabase silent = TestDatabase.on(
                engine,
                url -> Map.of("jakarta.persistence.jdbc.url", url + "&raiseExceptionOnSilentRollback=false"),
                Account.class,
                IdentityAccount.class);
        try (CheckedDatabase lied = new CheckedDatabase(silent)) {
            String name = lied.freshName();
            try (StatelessSession session = silent.sessions().openStatelessSession()) {
                session.beginTransaction();
                session.insert(new IdentityAccount(name));
                assertThatThrownBy(() -> session.doWork(
                                connection -> connection.createStatement().execute("select 1 / 0")))
                        .isInstanceOf(RuntimeException.class);
                session.getTransaction().commit();
            }
            lied.assertAvailable(name);
        }
    }

    // ---------------------------------------------------------------- net effects

    @Test
    void thereAndBackAgainInManyTransactionsKeepsTheName() {
        String name = checked.member();
        String interim = checked.freshName();
        for (int i = 0; i < 10; i++) {
            inTransaction(session -> find(session, name).username = interim);
            checked.assertTaken(interim);
            checked.assertAvailable(name);
            inTransaction(session -> find(session, interim).username = name);
            checked.assertTaken(name);
            checked.assertAvailable(interim);
        }
    }
}

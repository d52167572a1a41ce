package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Versioned;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.HibernateException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions that a JTA transaction manager ends: real managers, real XA connections, a real checker. */
@Tag("ci")
@ParameterizedClass
@MethodSource("all")
class JtaTest {
    @TempDir
    static Path log;

    private static ManagedTransactions jta;
    private static TransactionManager manager;
    private static DataSource pool;
    private static CheckedDatabase checked;

    @Parameter(0)
    private ManagedTransactions.Product product;

    @Parameter(1)
    private Engine engine;

    static Stream<Arguments> all() {
        return Arrays.stream(ManagedTransactions.Product.values())
                .flatMap(product -> Arrays.stream(Engine.values()).map(engine -> Arguments.of(product, engine)));
    }

    @BeforeParameterizedClassInvocation
    static void start(ManagedTransactions.Product product, Engine engine) throws Exception {
        jta = product.start(log);
        manager = jta.transactions();
        checked = new CheckedDatabase(TestDatabase.on(
                engine,
                url -> {
                    pool = pool(engine, url);
                    return managed(pool);
                },
                Account.class,
                IdentityAccount.class));
    }

    @AfterParameterizedClassInvocation
    static void close() {
        checked.close();
        jta.close();
    }

    private static DataSource pool(Engine engine, String url) {
        try {
            return jta.pool(engine, url);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> managed(DataSource source) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.transaction.coordinator_class", "jta");
        settings.put("jakarta.persistence.jtaDataSource", source);
        settings.put("hibernate.transaction.jta.platform", jta.platform());
        // By default Hibernate takes a connection for each statement, and PostgreSQL's cannot share a branch.
        settings.put(
                "hibernate.connection.handling_mode", "DELAYED_ACQUISITION_AND_RELEASE_BEFORE_TRANSACTION_COMPLETION");
        return settings;
    }

    private static DataSource unmanaged(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url.replace(";USER=sa;PASSWORD=", ""));
        source.setUser("sa");
        source.setPassword("");
        return source;
    }

    private EntityManager open() {
        return checked.database().factory().createEntityManager();
    }

    private interface Work {
        void in(EntityManager entities) throws Exception;
    }

    private void commit(Work work) throws Exception {
        manager.begin();
        try (EntityManager entities = open()) {
            work.in(entities);
            manager.commit();
        } finally {
            if (manager.getTransaction() != null) {
                manager.rollback();
            }
        }
    }

    private void signUp(String name) throws Exception {
        commit(entities -> entities.persist(Account.named(name)));
    }

    @Test
    void aNameIsTakenFromItsCommitOn() throws Exception {
        String name = checked.freshName();
        commit(entities -> {
            entities.persist(Account.named(name));
            entities.flush();
            assertThat(checked.status(name)).isEqualTo(Status.AVAILABLE);
        });
        checked.assertTaken(name);
        assertThat(checked.stats().underWay().open()).isZero();
    }

    @Test
    void aNameFlushedByTheCommitIsTaken() throws Exception {
        String name = checked.freshName();
        signUp(name);
        checked.assertTaken(name);
        assertThat(checked.stats().underWay().open()).isZero();
    }

    @Test
    void aRolledBackNameIsAvailable() throws Exception {
        String name = checked.freshName();
        manager.begin();
        try (EntityManager entities = open()) {
            entities.persist(Account.named(name));
            entities.flush();
            manager.rollback();
        }
        checked.assertAvailable(name);
        assertThat(checked.stats().underWay().open()).isZero();
    }

    @Test
    void aNameOfATransactionMarkedForRollbackIsAvailable() throws Exception {
        String name = checked.freshName();
        manager.begin();
        try (EntityManager entities = open()) {
            entities.persist(Account.named(name));
            entities.flush();
            manager.setRollbackOnly();
            assertThatThrownBy(() -> manager.commit()).isInstanceOf(RollbackException.class);
        }
        checked.assertAvailable(name);
    }

    @Test
    void aTimeoutWhileTheApplicationInsertsLeavesTheNamesAsTheDatabaseHasThem() throws Exception {
        assumeThat(engine).as("the one that takes less time").isEqualTo(Engine.H2);
        boolean timedOut = false;
        // The manager looks at its clock when it gets round to it; a busy machine is given longer.
        for (int millis = 2500; !timedOut && millis <= 20_000; millis *= 2) {
            timedOut = timesOutWhileInserting(millis);
        }
        assertThat(timedOut)
                .as("the transaction ran into its timeout of a second")
                .isTrue();
    }

    private boolean timesOutWhileInserting(int millis) throws Exception {
        List<String> names = new ArrayList<>();
        manager.setTransactionTimeout(1);
        manager.begin();
        manager.setTransactionTimeout(0);
        long now = System.nanoTime();
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean timedOut = false;
        try (EntityManager entities = open()) {
            for (long next = now; now - end < 0; now = System.nanoTime()) {
                if (now - next >= 0) {
                    next = now + TimeUnit.MILLISECONDS.toNanos(50);
                    String name = checked.freshName();
                    names.add(name);
                    entities.persist(new IdentityAccount(name));
                }
            }
            manager.commit();
        } catch (RollbackException | HibernateException e) { // Narayana does not wait for the commit
            timedOut = true;
        } finally {
            if (manager.getTransaction() != null) {
                manager.rollback();
            }
        }
        if (timedOut) {
            checked.assertAvailable(names.toArray(String[]::new));
        } else {
            checked.assertTaken(names.toArray(String[]::new));
        }
        return timedOut;
    }

    private static void closeQuietly(EntityManager entities) {
        try {
            entities.close();
        } catch (RuntimeException e) {
            // Hibernate tells here of a rollback on another thread
        }
    }

    @Test
    void aRollbackFromAnotherThreadProvesNothing() throws Exception {
        String name = checked.freshName();
        String late = checked.freshName();
        manager.begin();
        Transaction transaction = manager.getTransaction();
        EntityManager entities = open();
        try {
            entities.persist(new IdentityAccount(name));
            OtherThread.run(() -> rollback(transaction));
            try {
                entities.persist(new IdentityAccount(late));
            } catch (RuntimeException refused) {
                // as the manager likes
            }
            try {
                manager.rollback();
            } catch (IllegalStateException e) {
                // it has ended before
            }
        } finally {
            closeQuietly(entities);
        }
        checked.assertAnswersAsTheDatabase(name, late);
    }

    private static void rollback(Transaction transaction) {
        try {
            transaction.rollback();
        } catch (jakarta.transaction.SystemException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSessionClosedBeforeTheCommitHidesNothing() throws Exception {
        String name = checked.freshName();
        manager.begin();
        try (EntityManager entities = open()) {
            entities.persist(Account.named(name));
            entities.flush();
        }
        assertThat(checked.status(name)).isEqualTo(Status.AVAILABLE);
        manager.commit();
        checked.assertTaken(name);
        assertThat(checked.stats().underWay().open()).isZero();
    }

    @Test
    void aSessionClosedBeforeTheRollbackLeavesTheNameAvailable() throws Exception {
        String name = checked.freshName();
        manager.begin();
        try (EntityManager entities = open()) {
            entities.persist(Account.named(name));
            entities.flush();
        }
        manager.rollback();
        checked.assertAvailable(name);
        assertThat(checked.stats().underWay().open()).isZero();
    }

    @Test
    void anInnerTransactionCommitsThoughTheOuterRollsBack() throws Exception {
        String outer = checked.freshName();
        String inner = checked.freshName();
        nest(outer, inner, true, false);
        checked.assertAvailable(outer);
        checked.assertTaken(inner);
    }

    @Test
    void anInnerTransactionRollsBackThoughTheOuterCommits() throws Exception {
        String outer = checked.freshName();
        String inner = checked.freshName();
        nest(outer, inner, false, true);
        checked.assertTaken(outer);
        checked.assertAvailable(inner);
    }

    private void nest(String outer, String inner, boolean innerCommits, boolean outerCommits) throws Exception {
        manager.begin();
        try (EntityManager entities = open()) {
            entities.persist(Account.named(outer));
            entities.flush();
            Transaction suspended = manager.suspend();
            manager.begin();
            try (EntityManager own = open()) {
                own.persist(Account.named(inner));
                own.flush();
                end(innerCommits);
            }
            assertThat(checked.status(outer)).isEqualTo(Status.AVAILABLE);
            manager.resume(suspended);
            end(outerCommits);
        }
    }

    private static void end(boolean commits) throws Exception {
        if (commits) {
            manager.commit();
        } else {
            manager.rollback();
        }
    }

    @Test
    void aRenameAndADeleteFreeTheirNames() throws Exception {
        String name = checked.freshName();
        String wanted = checked.freshName();
        signUp(name);
        commit(entities -> find(entities, name).username = wanted);
        checked.assertTaken(wanted);
        checked.assertAvailable(name);
        commit(entities -> entities.remove(find(entities, wanted)));
        checked.assertAvailable(wanted);
    }

    @Test
    void aRollbackOfConnectionsThatTheManagerDoesNotManageIsNone() throws Exception {
        TestDatabase other =
                TestDatabase.on(Engine.H2, url -> managed(unmanaged(url)), Account.class, IdentityAccount.class);
        try (CheckedDatabase unmanaged = new CheckedDatabase(other)) {
            String name = unmanaged.freshName();
            manager.begin();
            try (EntityManager entities = other.factory().createEntityManager()) {
                entities.persist(new IdentityAccount(name));
                manager.rollback();
            }
            assertThat(unmanaged.isCommitted(name)).as("under autocommit").isTrue();
            unmanaged.assertTaken(name);
        }
    }

    /** With a connection for each statement, as by default. */
    @Test
    void aTransactionThatSuspendsAnotherOfItsSessionEndsInItsOwnWay() throws Exception {
        assumeThat(engine).as("lets connections share a branch").isEqualTo(Engine.H2);
        try (CheckedDatabase checked = new CheckedDatabase(TestDatabase.on(
                        engine,
                        url -> {
                            Map<String, Object> settings = managed(pool(engine, url));
                            settings.remove("hibernate.connection.handling_mode");
                            return settings;
                        },
                        Account.class,
                        IdentityAccount.class));
                EntityManager entities = checked.database().factory().createEntityManager()) {
            Transaction outer = begin(entities, "outer");
            Transaction inner = begin(entities, "inner");
            manager.resume(outer);
            manager.rollback();
            assertThat(checked.status("outer")).isEqualTo(Status.AVAILABLE);
            assertThat(checked.status("inner")).as("not committed yet").isEqualTo(Status.AVAILABLE);
            manager.resume(inner);
            manager.commit();
            checked.assertTaken("inner");
            checked.assertAvailable("outer");
            assertThat(checked.stats().underWay().open()).isZero();
        }
    }

    private static Transaction begin(EntityManager entities, String name) throws Exception {
        manager.begin();
        entities.joinTransaction();
        entities.persist(Account.named(name));
        entities.flush();
        return manager.suspend();
    }

    /** The connection goes back before the transaction ends. */
    @Test
    void whatIsWrittenOverAWatchedDataSourceIsToldByBoth() throws Exception {
        RecordingSink sink = new RecordingSink();
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, "Versioned", "username");
        try (EntityManagerFactory watched =
                checked.database().anotherFactory(managed(WatchedDataSource.of(pool, identifiers)), Versioned.class)) {
            identifiers.stores();
            Looks.at(identifiers).connect(sink);
            Looks.at(JpaIdentifiers.of(watched)).connect(sink);
            manager.begin();
            try (EntityManager entities = watched.createEntityManager()) {
                entities.createNativeQuery("insert into Versioned (id, version, username) values (1, 1, 'alice')")
                        .executeUpdate();
            }
            manager.commit();
            assertThat(sink.lines())
                    .containsExactlyInAnyOrder(
                            "T1 adding username alice", "T2 adding username alice", "T2 over", "T1 over");
        }
    }
}

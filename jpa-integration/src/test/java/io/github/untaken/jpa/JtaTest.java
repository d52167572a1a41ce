package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Versioned;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.xa.PGXADataSource;

/** Transactions that a JTA transaction manager ends: a real Atomikos, real XA connections, a real checker. */
@Tag("ci")
@ParameterizedClass
@EnumSource(Engine.class)
class JtaTest {
    private static final Logger ATOMIKOS = Logger.getLogger("com.atomikos");

    private static UserTransactionManager manager;
    private static AtomikosDataSourceBean dataSource;
    private static CheckedDatabase checked;

    @Parameter
    private Engine engine;

    /** Atomikos locks its log: with one for each run, two can go on in one folder. */
    @TempDir
    static Path log;

    @BeforeAll
    static void startManager() throws Exception {
        ATOMIKOS.setLevel(Level.SEVERE); // it warns of each rollback
        System.setProperty("com.atomikos.icatch.enable_logging", "false"); // nothing to recover after a test
        System.setProperty("com.atomikos.icatch.log_base_dir", log.toString());
        System.setProperty("com.atomikos.icatch.recovery_delay", "200"); // so long its shutdown waits
        manager = new UserTransactionManager();
        manager.setForceShutdown(true);
        manager.init();
    }

    @AfterAll
    static void stopManager() {
        manager.close();
    }

    @BeforeParameterizedClassInvocation
    static void start(Engine engine) {
        checked = new CheckedDatabase(
                TestDatabase.on(engine, url -> jta(pool(engine, url)), Account.class, IdentityAccount.class));
    }

    @AfterParameterizedClassInvocation
    static void close() {
        checked.close();
        dataSource.close();
    }

    private static Map<String, ?> jta(DataSource managed) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.transaction.coordinator_class", "jta");
        settings.put("jakarta.persistence.jtaDataSource", managed);
        settings.put("hibernate.transaction.jta.platform", "Atomikos");
        // By default Hibernate takes a connection for each statement, and PostgreSQL's cannot share a branch.
        settings.put(
                "hibernate.connection.handling_mode", "DELAYED_ACQUISITION_AND_RELEASE_BEFORE_TRANSACTION_COMPLETION");
        return settings;
    }

    private static DataSource pool(Engine engine, String url) {
        dataSource = new AtomikosDataSourceBean();
        dataSource.setUniqueResourceName(engine.name());
        dataSource.setXaDataSource(xa(engine, url));
        dataSource.setMaxPoolSize(10);
        return dataSource;
    }

    private static XADataSource xa(Engine engine, String url) {
        if (engine == Engine.H2) {
            return h2(url);
        }
        PGXADataSource source = new PGXADataSource();
        source.setUrl(url);
        return source;
    }

    private static JdbcDataSource h2(String url) {
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
        } catch (RollbackException e) {
            timedOut = true;
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
        TestDatabase other = TestDatabase.on(Engine.H2, url -> jta(h2(url)), Account.class, IdentityAccount.class);
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
        AtomikosDataSourceBean source = new AtomikosDataSourceBean();
        source.setUniqueResourceName("suspended");
        source.setMaxPoolSize(10);
        try (CheckedDatabase checked = new CheckedDatabase(TestDatabase.on(
                        engine,
                        url -> {
                            source.setXaDataSource(h2(url));
                            Map<String, Object> settings = new HashMap<>(jta(source));
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
        } finally {
            source.close();
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
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(dataSource, "Versioned", "username");
        try (EntityManagerFactory watched = checked.database()
                .anotherFactory(jta(WatchedDataSource.of(dataSource, identifiers)), Versioned.class)) {
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

package io.github.untaken.jpa;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.atomikos.jdbc.AtomikosDataSourceBean;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent over connections that a transaction manager has enlisted: with a checker the same as without. */
@Tag("ci")
@ParameterizedClass
@EnumSource
class EnlistedConnectionsTest {
    /** Answered by drivers themselves. */
    private static final Set<String> LOCAL = Set.of(
            "getAutoCommit",
            "getMetaData",
            "isClosed",
            "isReadOnly",
            "getNetworkTimeout",
            "getWarnings",
            "clearWarnings",
            "unwrap",
            "isWrapperFor",
            "getHoldability",
            "toString",
            "hashCode",
            "equals");

    private static Atomikos atomikos;
    private static TransactionManager manager;

    @TempDir
    static Path log;

    private final Engine engine;
    private final List<String> enlisted = new CopyOnWriteArrayList<>();
    private final Thread application = Thread.currentThread();

    EnlistedConnectionsTest(Engine engine) {
        this.engine = engine;
    }

    @BeforeAll
    static void startManager() throws Exception {
        atomikos = new Atomikos(log);
        manager = atomikos.transactions();
    }

    @AfterAll
    static void stopManager() {
        atomikos.close();
    }

    private XADataSource recorded(String url) {
        XADataSource source = Atomikos.xa(engine, url);
        return StandIn.of(XADataSource.class, (method, arguments) -> {
            Object result = method.invoke(source, arguments);
            return result instanceof XAConnection connection ? recorded(connection) : result;
        });
    }

    private XAConnection recorded(XAConnection connection) {
        AtomicBoolean open = new AtomicBoolean();
        return StandIn.of(XAConnection.class, (method, arguments) -> {
            Object result = method.invoke(connection, arguments);
            if (result instanceof XAResource resource) {
                return StandIn.of(XAResource.class, (call, about) -> {
                    switch (call.getName()) {
                        case "start" -> open.set(true);
                        case "commit", "rollback" -> open.set(false);
                        default -> {}
                    }
                    return call.invoke(resource, about);
                });
            }
            return result instanceof Connection one ? recorded(one, open) : result;
        });
    }

    private Connection recorded(Connection connection, AtomicBoolean open) {
        return StandIn.of(Connection.class, (method, arguments) -> {
            note(method, arguments, open);
            Object result = method.invoke(connection, arguments);
            return result instanceof PreparedStatement || !(result instanceof Statement statement)
                    ? result
                    : StandIn.of(Statement.class, (execute, texts) -> {
                        note(execute, texts, open);
                        return execute.invoke(statement, texts);
                    });
        });
    }

    private void note(Method method, Object[] arguments, AtomicBoolean open) {
        if (open.get()
                        && !LOCAL.contains(method.getName())
                        && !method.getDeclaringClass().equals(Statement.class)
                || open.get() && method.getName().startsWith("execute")) {
            String who = Thread.currentThread() == application
                    ? ""
                    : Thread.currentThread().getName() + ": ";
            enlisted.add(who + method.getName() + (arguments == null ? "" : " " + arguments[0]));
        }
    }

    private Map<String, ?> settings(DataSource managed, boolean each) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.transaction.coordinator_class", "jta");
        settings.put("jakarta.persistence.jtaDataSource", managed);
        settings.put("hibernate.transaction.jta.platform", "Atomikos");
        if (!each) {
            settings.put(
                    "hibernate.connection.handling_mode",
                    "DELAYED_ACQUISITION_AND_RELEASE_BEFORE_TRANSACTION_COMPLETION");
        }
        return settings;
    }

    private interface Work {
        void in(Session session) throws Exception;
    }

    private void transaction(TestDatabase database, boolean commits, Work work) throws Exception {
        manager.begin();
        try (Session session = database.sessions().openSession()) {
            work.in(session);
        }
        if (commits) {
            manager.commit();
        } else {
            manager.rollback();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> work(TestDatabase database, DataSource plain, AvailabilityChecker checker) throws Exception {
        enlisted.clear();
        transaction(database, true, session -> {
            session.persist(Account.named("alice"));
            session.flush();
        });
        transaction(database, false, session -> {
            session.persist(Account.named("bobby"));
            session.flush();
            if (checker != null) {
                assertThat(checker.check(USERNAME, "bobby").status()).isEqualTo(Status.AVAILABLE);
            }
        });
        transaction(database, true, session -> {
            session.doWork(connection -> {
                Class<?> type =
                        engine == Engine.H2 ? org.h2.jdbc.JdbcConnection.class : org.postgresql.PGConnection.class;
                Connection driver = (Connection) connection.unwrap(type);
                execute(driver, "insert into Account (id, username) values (-7, 'carol')");
            });
        });
        if (checker != null) {
            assertThat(checker.check(USERNAME, "carol").status()).isEqualTo(Status.TAKEN);
        }
        transaction(
                database,
                true,
                session -> session.doWork(connection -> {
                    try (Statement statement = connection.createStatement(
                                    ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                            ResultSet rows = statement.executeQuery("select id, username from Account where id = -7")) {
                        rows.next();
                        rows.updateString(2, "dave");
                        rows.updateRow();
                    }
                }));
        if (checker != null) {
            assertThat(checker.check(USERNAME, "dave").status()).isEqualTo(Status.TAKEN);
        }
        transaction(database, true, session -> {
            session.createNativeMutationQuery("insert into Account (id, username) select -8, 'erin'")
                    .executeUpdate();
        });
        manager.begin();
        try (Connection connection = plain.getConnection()) {
            execute(connection, "insert into Account (id, username) values (-9, 'frank')");
            Class<?> type = engine == Engine.H2 ? org.h2.jdbc.JdbcConnection.class : org.postgresql.PGConnection.class;
            execute((Connection) connection.unwrap(type), "insert into Account (id, username) values (-10, 'gwen')");
        }
        Transaction outer = manager.suspend();
        transaction(database, true, session -> session.persist(Account.named("heidi")));
        manager.resume(outer);
        manager.commit();
        if (checker != null) {
            for (String name : List.of("alice", "dave", "erin", "frank", "gwen", "heidi")) {
                assertThat(checker.check(USERNAME, name).status()).as(name).isEqualTo(Status.TAKEN);
            }
        }
        return new ArrayList<>(enlisted);
    }

    private void same(boolean each) throws Exception {
        AtomikosDataSourceBean[] pools = new AtomikosDataSourceBean[2];
        List<String> without;
        try (TestDatabase database = TestDatabase.on(
                engine, url -> settings(pools[0] = pool("w" + engine + each, url), each), Account.class)) {
            without = work(database, pools[0], null);
        } finally {
            pools[0].close();
        }
        try (TestDatabase database = TestDatabase.on(
                engine, url -> settings(pools[1] = pool("c" + engine + each, url), each), Account.class)) {
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(pools[1], "Account", "username");
            try (AvailabilityChecker checker = checker(JpaIdentifiers.of(database.factory()), identifiers)) {
                Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
                assertThat(work(database, WatchedDataSource.of(pools[1], identifiers), checker))
                        .isEqualTo(without)
                        .hasSizeGreaterThan(8);
            }
        } finally {
            pools[1].close();
        }
    }

    private AtomikosDataSourceBean pool(String name, String url) {
        AtomikosDataSourceBean pool = new AtomikosDataSourceBean();
        pool.setUniqueResourceName(name);
        pool.setXaDataSource(recorded(url));
        pool.setMaxPoolSize(10);
        return pool;
    }

    @Test
    void nothingIsSentWithAConnectionForEachTransaction() throws Exception {
        same(false);
    }

    @Test
    void nothingIsSentWithAConnectionForEachStatement() throws Exception {
        if (engine == Engine.H2) {
            same(true);
        }
    }

    private AvailabilityChecker checker(IdentifierSource... sources) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder();
        List.of(sources).forEach(builder::source);
        return builder.normalizer(IdentifierKind.PHONE, new Literal())
                .recheckTimeout(Duration.ofMinutes(1))
                .catalogInterval(Duration.ofMillis(100))
                .singleWriter(engine == Engine.POSTGRESQL)
                .build();
    }

    /** As where it is a bean that is made when it is first asked for. */
    @Test
    void aCheckerThatIsBuiltInATransactionReadsOutsideOfIt() throws Exception {
        AtomikosDataSourceBean[] pool = new AtomikosDataSourceBean[1];
        try (TestDatabase database =
                TestDatabase.on(engine, url -> settings(pool[0] = pool("built" + engine, url), false), Account.class)) {
            for (IdentifierSource source : List.of(
                    JdbcIdentifiers.table(pool[0], "Account", "username"), JpaIdentifiers.of(database.factory()))) {
                enlisted.clear();
                manager.begin();
                AvailabilityChecker checker = checker(source);
                manager.commit();
                Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
                manager.begin();
                checker.close();
                manager.commit();
                assertThat(enlisted).isEmpty();
            }
        } finally {
            pool[0].close();
        }
    }
}

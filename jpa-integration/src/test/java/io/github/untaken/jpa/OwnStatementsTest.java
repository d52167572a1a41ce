package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Over Hibernate's connections the same is sent with a checker as without one, in each way to write. */
@ParameterizedClass
@EnumSource
class OwnStatementsTest {
    private final Engine engine;
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final Thread application = Thread.currentThread();

    OwnStatementsTest(Engine engine) {
        this.engine = engine;
    }

    /** What the application's thread sends; the registry's own reads go over the same factory on threads of theirs. */
    private final class Recording extends ProxiedDataSource {
        private final String url;

        Recording(String url) {
            this.url = url;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection(url);
            return StandIn.of(Connection.class, (method, arguments) -> {
                note(arguments);
                Object result = method.invoke(connection, arguments);
                if (result instanceof DatabaseMetaData asked) {
                    return StandIn.of(DatabaseMetaData.class, (question, about) -> {
                        if (about != null) {
                            note(new Object[] {"a question to the catalog: " + question.getName()});
                        }
                        return question.invoke(asked, about);
                    });
                }
                return result instanceof PreparedStatement || !(result instanceof Statement statement)
                        ? result
                        : StandIn.of(Statement.class, (execute, texts) -> {
                            note(texts);
                            return execute.invoke(statement, texts);
                        });
            });
        }

        private void note(Object[] arguments) {
            if (Thread.currentThread() == application
                    && arguments != null
                    && arguments.length > 0
                    && arguments[0] instanceof String sql) {
                sent.add(sql);
            }
        }
    }

    private static void sql(Session session, String... statements) {
        for (String each : statements) {
            session.createNativeMutationQuery(each).executeUpdate();
        }
    }

    private List<String> work(TestDatabase database) {
        String set = engine == Engine.H2 ? "set @a = 1" : "set local lock_timeout = 3000";
        sent.clear();
        database.sessions().inTransaction(session -> {
            sql(session, set, "update Account set city = 'Rome' where id = -1");
            session.persist(Account.named("alice"));
            session.flush();
            sql(session, set, "insert into Account (id, city) values (-2, 'Paris')");
            session.createMutationQuery("update Account set username = 'bob' where username = 'alice'")
                    .executeUpdate();
            session.createMutationQuery("insert into Account (id, username) values (-3, 'carol')")
                    .executeUpdate();
            sql(session, "create table elsewhere (id bigint)", "insert into elsewhere values (1)");
        });
        database.sessions().inTransaction(session -> {
            session.find(Account.class, 1L).username = "dave";
            session.flush();
            session.doWork(connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("insert into Account (id, username) values (-4, 'erin')");
                }
            });
        });
        database.statelessInTransaction(session -> {
            session.insert(Account.named("frank"));
            session.createNativeMutationQuery("drop table elsewhere").executeUpdate();
        });
        return List.copyOf(sent);
    }

    private TestDatabase database() {
        return TestDatabase.on(
                engine, url -> Map.of("jakarta.persistence.nonJtaDataSource", new Recording(url)), Account.class);
    }

    @Test
    void withACheckerTheSameIsSentAsWithout() {
        List<String> without;
        try (TestDatabase database = database()) {
            without = work(database);
        }
        try (TestDatabase database = database();
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(JpaIdentifiers.of(database.factory()))
                        .normalizer(IdentifierKind.PHONE, new Literal())
                        .recheckTimeout(Duration.ofMinutes(1))
                        .catalogInterval(Duration.ofMillis(100))
                        .singleWriter(false)
                        .build()) {
            Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
            assertThat(work(database)).isEqualTo(without).hasSizeGreaterThan(12);
            for (String name : List.of("dave", "carol", "frank")) {
                assertThat(checker.check(USERNAME, name).status()).as(name).isEqualTo(Status.TAKEN);
            }
        }
    }

    /** Of which others see nothing before its transaction ends. */
    @Test
    void aDefinitionAsksForALookOnceItsTransactionHasEnded() {
        AtomicInteger wanted = new AtomicInteger();
        try (TestDatabase database = database()) {
            IdentifierSource source = JpaIdentifiers.of(database.factory());
            source.connect(new RecordingSink());
            source.catalogs().forEach(catalog -> catalog.onDefinition(wanted::incrementAndGet));
            database.sessions().inTransaction(session -> {
                session.persist(Account.named("alice"));
                sql(session, "update Account set city = 'Rome'");
            });
            assertThat(wanted).hasValue(0);
            database.sessions().inTransaction(session -> {
                sql(session, "create view people as select * from Account");
                assertThat(wanted).hasValue(0);
            });
            assertThat(wanted).hasValue(1);
            source.disconnect();
            database.sql("drop view people");
        }
    }
}

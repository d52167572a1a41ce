package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.RecordedStatements;
import io.github.untaken.jdbc.UrlDataSource;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.testkit.Eventually;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Over an application's connection nothing is sent but its own statements, and what removes temporary tables when it is given back. Over
 * others nothing that is refused.
 */
class OwnStatementsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    @ParameterizedTest
    @EnumSource
    void nothingButTheApplicationsOwnStatementsIsSent(Driver driver) throws SQLException {
        List<String> statements = List.of(
                "set @a = 1",
                "set session sql_mode = 'TRADITIONAL'",
                "insert into TABLE (username) values ('alice')",
                "set names utf8mb4",
                "update TABLE set username = 'bob' where username = 'alice'",
                "delete from TABLE where username = 'bob'",
                "create table o_TABLE (id bigint)",
                "insert into o_TABLE values (1)",
                "drop table o_TABLE",
                "insert into TABLE (username) select 'carol'");
        try (Table table = new Table(driver, "varchar(40) collate " + Product.UNDER_TEST.exactCollation())) {
            UrlDataSource connections = new UrlDataSource(driver.url("untaken"));
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(connections, table.name(), "username");
            RecordedStatements recorded = new RecordedStatements(connections);
            DataSource application = WatchedDataSource.of(recorded.dataSource(), identifiers);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(identifiers)
                    .normalizer(USERNAME, UsernameNormalizer.builder().build())
                    .recheckTimeout(Duration.ofMinutes(1))
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                List<String> texts = statements.stream()
                        .map(sql -> sql.replace("TABLE", table.name()))
                        .toList();
                for (boolean autocommit : new boolean[] {true, false}) {
                    table.sql("delete from TABLE");
                    recorded.sent().clear();
                    execute(application, texts, autocommit);
                    assertThat(recorded.sent()).containsExactlyElementsOf(texts);
                    assertThat(checker.check(USERNAME, "carol").status()).isEqualTo(Status.TAKEN);
                }
            }
        }
    }

    /** A look comes every two seconds, and a driver may log each refusal, as MariaDB's does. */
    @ParameterizedTest
    @EnumSource
    void theServerRefusesNothingThatLooksAtTheCatalogSend(Driver driver) throws SQLException {
        try (Table table = new Table(driver, "varchar(40) collate " + Product.UNDER_TEST.exactCollation())) {
            AtomicInteger executed = new AtomicInteger();
            Queue<String> refused = new ConcurrentLinkedQueue<>();
            DataSource noted = noting(
                    DataSource.class,
                    driver.dataSource(),
                    message -> message.ifPresentOrElse(refused::add, executed::incrementAndGet));
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.table(noted, table.name(), "username"))
                    .catalogInterval(Duration.ofMillis(100))
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                int before = executed.get();
                Eventually.holds("some looks later", () -> executed.get() > before + 50);
                assertThat(refused).isEmpty();
            }
        }
    }

    private static <T> T noting(Class<T> type, Object target, Consumer<Optional<String>> executions) {
        return StandIn.of(type, (method, arguments) -> {
            boolean execution = method.getName().startsWith("execute");
            try {
                Object result = method.invoke(target, arguments);
                if (execution) {
                    executions.accept(Optional.empty());
                }
                for (Class<?> each : List.of(Connection.class, PreparedStatement.class, Statement.class)) {
                    if (method.getReturnType().equals(each)) {
                        return noting(each, Objects.requireNonNull(result), executions);
                    }
                }
                return result;
            } catch (InvocationTargetException e) {
                if (execution) {
                    executions.accept(Optional.of(e.getCause().toString()));
                }
                throw e;
            }
        });
    }

    private static void execute(DataSource application, List<String> texts, boolean autocommit) throws SQLException {
        try (Connection connection = application.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(autocommit);
            for (String sql : texts) {
                statement.execute(sql);
            }
            if (!autocommit) {
                connection.commit();
            }
        }
    }
}

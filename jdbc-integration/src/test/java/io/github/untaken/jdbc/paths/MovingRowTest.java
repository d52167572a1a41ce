package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.Engine;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.TestTable;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.testkit.Eventually;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row whose primary key changes moves behind the page at which a scan stands. */
@Tag("ci")
class MovingRowTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    /** More rows than a page has. */
    private static final int ROWS = 10_001;

    private final AtomicBoolean moved = new AtomicBoolean();
    private DataSource application;

    @Test
    void isNotOverlooked() {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(40)")) {
            table.sql(
                    "alter table TABLE drop column id",
                    "alter table TABLE add column email varchar(40) not null",
                    "alter table TABLE add primary key (email)",
                    "insert into TABLE (email, username) select 'e' || x, 'name' || x from system_range(1, " + ROWS
                            + ")",
                    "insert into TABLE (email, username) values ('zoe@x', 'mover')");
            DataSource pool = table.dataSource();
            JdbcIdentifiers identifiers =
                    JdbcIdentifiers.table(movingBeforeTheSecondPage(pool, table), table.name(), "username");
            application = WatchedDataSource.of(pool, identifiers);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(identifiers)
                    .scanThreads(1)
                    .singleWriter(false)
                    .recheckTimeout(Duration.ofMinutes(1))
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                assertThat(moved).isTrue();
                assertThat(checker.check(USERNAME, "mover").status()).isEqualTo(Status.TAKEN);
            }
        }
    }

    private DataSource movingBeforeTheSecondPage(DataSource pool, TestTable table) {
        return proxy(DataSource.class, pool, sql -> {
            if (sql.contains(" > ? order by") && moved.compareAndSet(false, true)) {
                move(table);
            }
        });
    }

    private void move(TestTable table) throws SQLException {
        try (Connection connection = application.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("update " + table.name() + " set email = ? where username = ?")) {
            statement.setString(1, "anna@x");
            statement.setString(2, "mover");
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private interface Before {
        void prepared(String sql) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, Before before) {
        return type.cast(Proxy.newProxyInstance(
                MovingRowTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        if (method.getName().equals("prepareStatement")) {
                            before.prepared((String) arguments[0]);
                        }
                        Object result = method.invoke(target, arguments);
                        return result instanceof Connection connection && target instanceof DataSource
                                ? proxy(Connection.class, connection, before)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}

package io.github.untaken.jdbc;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source that leads each thread to the database that it has asked for, as those that route by tenant do. */
class RoutingTest {
    private static final String FIRST = "jdbc:h2:mem:first" + UUID.randomUUID();
    private static final String SECOND = "jdbc:h2:mem:second" + UUID.randomUUID();

    private final ThreadLocal<String> target = ThreadLocal.withInitial(() -> FIRST);
    private final DataSource routing = new DelegatingDataSource(new UrlDataSource(FIRST)) {
        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(target.get());
        }
    };
    private final List<Connection> open = new ArrayList<>();

    @BeforeEach
    void create() throws SQLException {
        for (String url : List.of(FIRST, SECOND)) {
            Connection connection = DriverManager.getConnection(url);
            open.add(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table account (username varchar(40) unique)");
            }
        }
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : open) {
            connection.close();
        }
    }

    private static void insert(DataSource watched, String name) throws SQLException {
        try (Connection connection = watched.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into account (username) values ('" + name + "')");
        }
    }

    @Test
    void itIsSaidWhichTargetIsReadAndThatAnotherIsWritten() throws SQLException {
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(routing, "account", "username");
        DataSource watched = WatchedDataSource.of(routing, identifiers);
        try (LoggedLines log = new LoggedLines();
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(identifiers)
                        .recheckTimeout(Duration.ofSeconds(20))
                        .build()) {
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            insert(watched, "alice");
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(log.warnings("are written to")).isEmpty();
            target.set(SECOND);
            insert(watched, "bella");
            insert(watched, "carla");
            String said = "are written to " + SECOND + ", and read from " + FIRST;
            Eventually.holds("it is said", () -> !log.warnings(said).isEmpty());
            assertThat(log.warnings("are written to")).hasSize(1);
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "bella").status())
                    .as("as the database says that is read")
                    .isEqualTo(Status.AVAILABLE);
        }
    }
}

package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a name for which the column has no room; MariaDB's part is in the module databases. */
class LongNamesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final String NAME = "alexander";
    private static final String CUT = "alexande";

    private interface Work {
        void on(DataSource watched, AvailabilityChecker checker) throws SQLException;
    }

    private static void play(TestTable table, boolean readyFirst, Work work) throws SQLException {
        DataSource pool = table.dataSource();
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, table.name(), "username");
        DataSource watched = WatchedDataSource.of(pool, identifiers);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(identifiers)
                .singleWriter(false)
                .build()) {
            if (readyFirst) {
                awaitReady(checker);
            }
            work.on(watched, checker);
        }
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    private static void insert(Connection connection, TestTable table, String value) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("insert into " + table.name() + " (username) values (" + value + ")")) {
            statement.setString(1, NAME);
            statement.executeUpdate();
        }
    }

    /** H2 does so in a session that asks for it. */
    @Test
    void aNameThatIsCutIsTakenAsItIsStored() throws SQLException {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(8)")) {
            play(table, true, (watched, checker) -> {
                try (Connection connection = watched.getConnection();
                        Statement statement = connection.createStatement()) {
                    assertThat(checker.check(USERNAME, CUT).available()).isTrue();
                    statement.execute("set truncate_large_length true");
                    insert(connection, table, "?");
                    assertThat(table.query("select username from TABLE")).isEqualTo(CUT);
                    assertThat(checker.check(USERNAME, CUT).available()).isFalse();
                }
                assertThat(checker.check(USERNAME, CUT).available()).isFalse();
            });
        }
    }

    /** Announced before anybody knew the column, written after the first scan would have passed. */
    @Test
    void aScanWaitsForWhoeverDidNotKnowTheRoom() throws SQLException {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(8)")) {
            AtomicBoolean announced = new AtomicBoolean();
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(table.dataSource(), table.name(), "username");
            DataSource watched = WatchedDataSource.of(table.dataSource(), identifiers);
            try (Connection connection = watched.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set truncate_large_length true");
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> insert(connection, table, "?, no_such_column"))
                        .as("announced, and nothing is written yet")
                        .isInstanceOf(SQLException.class);
                announced.set(true);
                try (AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(identifiers)
                        .singleWriter(false)
                        .build()) {
                    for (int i = 0; i < 3; i++) {
                        assertThat(checker.check(USERNAME, CUT).available()).isTrue();
                    }
                    assertThat(checker.state(USERNAME)).isNotEqualTo(KindState.READY);
                    connection.rollback();
                    awaitReady(checker);
                    assertThat(checker.check(USERNAME, CUT).available()).isTrue();
                }
            }
        }
    }

    /** By an assignment PostgreSQL cuts nothing but blanks. */
    @Test
    void aNameThatIsRefusedStaysFree() throws SQLException {
        for (Engine engine : Engine.values()) {
            try (TestTable table = TestTable.on(engine, "varchar(8)")) {
                play(table, true, (watched, checker) -> {
                    try (Connection connection = watched.getConnection()) {
                        connection.setAutoCommit(false);
                        assertThatThrownBy(() -> insert(connection, table, "?")).isInstanceOf(SQLException.class);
                        connection.rollback();
                    }
                    assertThat(table.query("select username from TABLE")).isEmpty();
                    assertThat(checker.check(USERNAME, CUT).available()).isTrue();
                    assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cast(? as varchar(8))", "?::varchar(8)", "?::char(4)", "left(?, 3)"})
    void aCastThatCutsIsUnseen(String value) throws SQLException {
        for (Engine engine : Engine.values()) {
            try (TestTable table = TestTable.on(engine, "varchar(8)")) {
                play(table, true, (watched, checker) -> {
                    try (Connection connection = watched.getConnection()) {
                        insert(connection, table, value);
                    }
                    String stored = table.query("select username from TABLE");
                    assertThat(checker.check(USERNAME, stored).available())
                            .as(stored)
                            .isFalse();
                    awaitReady(checker);
                    assertThat(checker.check(USERNAME, stored).available()).isFalse();
                });
            }
        }
    }
}

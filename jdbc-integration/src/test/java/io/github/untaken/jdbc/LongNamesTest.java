package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

    private static void play(TestTable table, Work work) throws SQLException {
        DataSource pool = table.dataSource();
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, table.name(), "username");
        DataSource watched = WatchedDataSource.of(pool, identifiers);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(identifiers)
                .singleWriter(false)
                .build()) {
            awaitReady(checker);
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

    /** By an assignment PostgreSQL cuts nothing but blanks. */
    @Test
    void aNameThatIsRefusedStaysFree() throws SQLException {
        for (Engine engine : Engine.values()) {
            try (TestTable table = TestTable.on(engine, "varchar(8)")) {
                play(table, (watched, checker) -> {
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
                play(table, (watched, checker) -> {
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

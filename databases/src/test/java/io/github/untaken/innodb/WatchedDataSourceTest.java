package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written over a watched data source, with both drivers: nothing committed is ever available. */
@ParameterizedClass
@EnumSource
class WatchedDataSourceTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final Driver driver;
    private final Table table;
    private final AvailabilityChecker checker;
    private final DataSource watched;
    private Connection connection;

    WatchedDataSourceTest(Driver driver) {
        this.driver = driver;
        this.table = new Table(driver, "varchar(40)");
        DataSource pool = driver.dataSource();
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(pool, table.name(), "username");
        this.watched = WatchedDataSource.of(pool, identifiers);
        this.checker = checker(identifiers);
    }

    private static AvailabilityChecker checker(JdbcIdentifiers identifiers) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(
                        USERNAME,
                        UsernameNormalizer.builder()
                                .characters(c -> c > ' ' && c < 128)
                                .build())
                .build();
        Eventually.holds("the first scan", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    @BeforeEach
    void begin() throws SQLException {
        connection = watched.getConnection();
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        if (!connection.isClosed() && !connection.getAutoCommit()) {
            connection.rollback(); // or a test that fails would wait for itself below
        }
        connection.close();
        checker.close();
        table.close();
    }

    private void insert(String name) throws SQLException {
        update("insert into TABLE (username) values (?)", name);
    }

    private void update(String sql, String... values) throws SQLException {
        Console.update(connection, sql.replace("TABLE", table.name()), values);
    }

    private boolean isFree(String name) {
        return checker.check(USERNAME, name).available();
    }

    private DecidedBy decidedBy(String name) {
        return checker.check(USERNAME, name).decidedBy();
    }

    private void assertNothingCommittedIsFree() {
        table.query("select lower(username) from TABLE")
                .lines()
                .filter(name -> !name.isEmpty())
                .forEach(name -> assertThat(isFree(name)).as(name).isFalse());
        assertThat(checker.state(USERNAME)).as("nothing was unseen").isEqualTo(KindState.READY);
    }

    @Test
    void insertsRenamesAndDeletesAreSeen() throws SQLException {
        assertThat(isFree("alice")).isTrue();
        insert("Alice");
        assertThat(decidedBy("alice")).as("told").isEqualTo(DecidedBy.STORE);
        connection.commit();
        assertNothingCommittedIsFree();

        update("update TABLE set username = ? where username = ?", "carol", "alice");
        assertThat(isFree("alice")).isFalse();
        assertThat(decidedBy("carol")).as("told").isEqualTo(DecidedBy.STORE);
        connection.commit();
        assertNothingCommittedIsFree();
        assertThat(isFree("alice")).isTrue();

        update("delete from TABLE where username = ?", "CAROL");
        connection.commit();
        assertThat(isFree("carol")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call writes_TABLE()",
                "call calls_TABLE()",
                "select again_TABLE()",
                "call composes_TABLE()",
                "update l_TABLE set name = 'zedd'",
                "update v_TABLE set name = 'zedd'"
            })
    void whatRoutinesCallAndForeignKeysCarryOnIsUnseen(String text) throws SQLException {
        table.sql(
                "create table l_TABLE (name varchar(40) primary key)",
                "create table m_TABLE (name varchar(40) primary key, foreign key (name) references l_TABLE (name) on update cascade)",
                "create view v_TABLE as select * from l_TABLE",
                "insert into l_TABLE values ('bob')",
                "insert into m_TABLE values ('bob')",
                "insert into TABLE (username) values ('bob')",
                "alter table TABLE add foreign key (username) references m_TABLE (name) on update cascade",
                "create procedure writes_TABLE() update TABLE set username = username",
                "create procedure calls_TABLE() call writes_TABLE()",
                "create function again_TABLE() returns int begin call calls_TABLE(); return 1; end",
                Product.UNDER_TEST == Product.MARIADB
                        ? "create procedure composes_TABLE() execute immediate concat('update ', 'l_TABLE set name = name')"
                        : "create procedure composes_TABLE() begin set @text = concat('update ', 'l_TABLE set name = name');"
                                + " prepare p from @text; execute p; end",
                "create function reads_TABLE() returns int return (select count(*) from TABLE)");
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(driver.dataSource(), table.name(), "username");
        checker.close(); // a second one would be taken for another process
        try (AvailabilityChecker own = checker(identifiers);
                Connection other =
                        WatchedDataSource.of(driver.dataSource(), identifiers).getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("select reads_TABLE()".replace("TABLE", table.name()));
            assertThat(own.state(USERNAME)).isEqualTo(KindState.READY);
            statement.execute(text.replace("TABLE", table.name()));
            assertThat(own.state(USERNAME)).isEqualTo(KindState.DEGRADED);
        } finally {
            table.sql(
                    "drop view v_TABLE",
                    "drop procedure writes_TABLE",
                    "drop procedure calls_TABLE",
                    "drop function again_TABLE",
                    "drop procedure composes_TABLE",
                    "drop function reads_TABLE",
                    "drop table TABLE",
                    "drop table m_TABLE",
                    "drop table l_TABLE");
        }
    }

    /** Those of others are seen half a minute later. */
    @Test
    void aViewThatIsMadeHereIsKnownFromThenOn() throws SQLException {
        connection.setAutoCommit(true);
        update("create view people as select id, username from TABLE");
        try {
            Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
            update("insert into people (username) values (?)", "zedd");
            assertThat(isFree("zedd")).isFalse();
        } finally {
            update("drop view people");
        }
    }

    @Test
    void aJsonDualityViewIsKnownAsAnyOther() throws SQLException {
        assumeTrue(Product.UNDER_TEST == Product.MYSQL, "MariaDB has none");
        connection.setAutoCommit(true);
        update("create json relational duality view documents as select json_duality_object("
                + "with (insert, update, delete) '_id': id, 'name': username) from TABLE");
        try {
            Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
            assertThat(isFree("zedd")).isTrue();
            update("insert into documents values ('{\"_id\": 77, \"name\": \"zedd\"}')");
            assertThat(isFree("zedd")).isFalse();
        } finally {
            update("drop view documents");
        }
    }

    @Test
    void aRollbackFreesTheName() throws SQLException {
        insert("alice");
        connection.rollback();
        Eventually.holds("free", () -> isFree("alice"));
        assertNothingCommittedIsFree();
    }

    @Test
    void twoTradeTheirNames() throws SQLException {
        insert("alice");
        insert("bob");
        connection.commit();
        update("update TABLE set username = ? where username = ?", "waiting", "alice");
        update("update TABLE set username = ? where username = ?", "alice", "bob");
        update("update TABLE set username = ? where username = ?", "bob", "waiting");
        connection.commit();
        assertNothingCommittedIsFree();
        assertThat(isFree("waiting")).isTrue();
    }

    @Test
    void aBatchIsSeenAndOneRefusedRowDoesNotHideTheOthers() throws SQLException {
        insert("bob");
        connection.commit();
        connection.setAutoCommit(true);
        try (PreparedStatement statement =
                connection.prepareStatement("insert into " + table.name() + " (username) values (?)")) {
            for (String name : new String[] {"anna", "Bob", "carl"}) {
                statement.setString(1, name);
                statement.addBatch();
            }
            assertThatThrownBy(statement::executeBatch).isInstanceOf(SQLException.class);
        }
        // MariaDB's driver sends the batch as one statement, of which nothing is left; MySQL's sends each row.
        assertNothingCommittedIsFree();
    }

    @Test
    void aRefusedInsertIsNoRollback() throws SQLException {
        insert("bob");
        connection.commit();
        insert("alice");
        assertThatThrownBy(() -> insert("BOB")).isInstanceOf(SQLException.class);
        insert("carol");
        connection.commit();
        assertNothingCommittedIsFree();
        assertThat(isFree("alice")).isFalse();
    }

    @Test
    void aSavepointThatIsRolledBackTakesNothingWithIt() throws SQLException {
        insert("alice");
        Savepoint savepoint = connection.setSavepoint();
        insert("bob");
        connection.rollback(savepoint);
        connection.commit();
        assertNothingCommittedIsFree();
    }

    @Test
    void aDefinitionOfDataCommitsWhatWasOpen() throws SQLException {
        insert("alice");
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table " + table.name() + "_other (id int)");
            statement.execute("drop table " + table.name() + "_other");
        }
        connection.rollback();
        assertThat(table.query("select username from TABLE")).isEqualTo("alice");
        assertThat(isFree("alice")).isFalse();
    }

    @Test
    void aConnectionThatIsKilledBeforeItsCommitLeavesADoubt() throws SQLException {
        insert("alice");
        table.sql("kill " + id());
        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        Eventually.holds("free", () -> isFree("alice"));
        assertNothingCommittedIsFree();
    }

    private String id() throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery("select connection_id()")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void anUpsertTellsBothNames() throws SQLException {
        insert("alice");
        connection.commit();
        update(
                "insert into TABLE (id, username) select id, ? from TABLE on duplicate key update username = ?",
                "x",
                "carol");
        assertThat(checker.state(USERNAME)).as("a value that is selected").isEqualTo(KindState.DEGRADED);
        connection.rollback();
        Eventually.holds("the scan", () -> checker.state(USERNAME) == KindState.READY);
        update(
                "insert into TABLE (id, username) values (" + table.query("select id from TABLE")
                        + ", ?) on duplicate key update username = ?",
                "bob",
                "carol");
        assertThat(decidedBy("bob")).as("told").isEqualTo(DecidedBy.STORE);
        assertThat(decidedBy("carol")).as("told").isEqualTo(DecidedBy.STORE);
        connection.commit();
        assertThat(table.query("select username from TABLE")).isEqualTo("carol");
        assertNothingCommittedIsFree();
    }

    /** A server that sends rows while it inserts others has not committed when the first row is there. */
    @Test
    void whatIsStreamedUnderAutocommitIsNotCommittedBeforeItsLastRow() throws SQLException {
        assumeTrue(Product.UNDER_TEST == Product.MARIADB, "MySQL has no RETURNING");
        assumeTrue(driver == Driver.MARIADB, "MySQL's driver does not take an INSERT for a question");
        connection.setAutoCommit(true);
        String rows = IntStream.range(0, 20_000)
                .mapToObj(i -> "('streamed" + i + "')")
                .collect(Collectors.joining(","));
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1);
            try (ResultSet inserted = statement.executeQuery("insert into " + table.name() + " (username) values "
                    + rows + " returning repeat(username, 200)")) {
                for (int i = 0; i < 20_000; i += 100) {
                    isFree("streamed" + i);
                }
                while (inserted.next()) {
                    assertThat(inserted.getString(1)).startsWith("streamed");
                }
            }
        }
        assertNothingCommittedIsFree();
    }
}

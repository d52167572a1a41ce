package io.github.untaken.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only MariaDB and MySQL have, over a watched data source, with both drivers: each way to write is understood or unseen, and no
 * transaction is taken for ended because a driver says so.
 */
@ParameterizedClass
@EnumSource
class DialectTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final Driver driver;
    private final Table table;
    private @Nullable AvailabilityChecker checker;

    DialectTest(Driver driver) {
        this.driver = driver;
        this.table = new Table(driver, "varchar(8)");
    }

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        table.close();
    }

    /** The application's data source; the checker that hears of it is {@link #checker}. */
    private DataSource watched(DataSource pool) {
        return watched(pool, pool);
    }

    private DataSource watched(DataSource pool, DataSource reads) {
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(reads, table.name(), "username");
        DataSource watched = WatchedDataSource.of(pool, identifiers);
        checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(
                        USERNAME,
                        UsernameNormalizer.builder().characters(c -> c > ' ' && c < 128).build())
                .build();
        awaitReady();
        return watched;
    }

    private DataSource watched(String options) {
        return watched(Driver.dataSource(driver.url("untaken") + options, connection -> {}), driver.dataSource());
    }

    private KindState state() {
        return checker.state(USERNAME);
    }

    private void awaitReady() {
        Eventually.holds("ready", () -> state() == KindState.READY);
    }

    private boolean isFree(String name) {
        return checker.check(USERNAME, name).available();
    }

    private void assertNothingCommittedIsFree() {
        table.query("select lower(username) from TABLE where username is not null")
                .lines()
                .filter(name -> !name.isEmpty())
                .forEach(name -> assertThat(isFree(name)).as(name).isFalse());
    }

    private void update(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.replace("TABLE", table.name()))) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("TABLE", table.name()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into TABLE (username) values ('alice') on duplicate key update username = 'bob'",
                "replace into TABLE (username) values ('alice')",
                "replace TABLE set username = 'alice'",
                "insert ignore into TABLE (username) values ('alice')",
                "insert TABLE (username) values ('alice')",
                "insert into TABLE set username = 'alice'",
                "insert into TABLE (username) select 'alice'",
                "insert into TABLE (username) values (\"alice\")",
                "insert into TABLE (username) values (lower('Alice'))",
                "insert into TABLE (username) values ('al' 'ice')",
                "insert into TABLE (username) values (_utf8mb4'alice')",
                "insert into TABLE (username) values (x'616c696365')",
                "insert into TABLE values (default, 'alice')",
                "insert into TABLE values () on duplicate key update id = id;;",
                "update ignore TABLE set username = 'alice'",
                "update low_priority TABLE set username = 'alice'",
                "update TABLE a join (select 'alice' name) b set a.username = b.name",
                "update TABLE set username = 'alice' order by id limit 1",
                "/*!50000 insert into */ TABLE (username) values ('alice')",
                "insert into TABLE /*M! (username) values ('alice') */",
                "set statement max_statement_time = 9 for insert into TABLE (username) values ('alice')",
                "set statement max_statement_time = 9 for update TABLE set username = 'alice'",
                "analyze format=json insert into TABLE (username) values ('alice')",
                "execute immediate 'insert into TABLE (username) values (''alice'')'",
                "begin not atomic insert into TABLE (username) values ('alice'); end",
                "with recursive x as (select 1 a) select * from x where (select 1) in (select 1) for update",
            })
    void whatIsNotUnderstoodIsUnseenUntilAScan(String sql) throws SQLException {
        table.sql("insert into TABLE (username) values ('old')");
        try (Connection connection = watched("").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            connection.setAutoCommit(false);
            execute(connection, sql);
            if (!sql.startsWith("with")) {
                assertThat(state()).as(sql).isEqualTo(KindState.DEGRADED);
            }
            assertThat(isFree("alice")).as("nothing is committed").isTrue();
            connection.commit();
            assertNothingCommittedIsFree();
            awaitReady();
            assertNothingCommittedIsFree();
        }
    }

    @Test
    void severalStatementsInOneTextAreUnseen() throws SQLException {
        try (Connection connection = watched("&allowMultiQueries=true").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            update(
                    connection,
                    "insert into TABLE (username) values (?); insert into TABLE (username) values (?)",
                    "alice",
                    "bob");
            assertNothingCommittedIsFree();
            assertThat(isFree("bob")).isFalse();
            awaitReady();
            assertNothingCommittedIsFree();
        }
    }

    @Test
    void aFileThatIsLoadedIsUnseen(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("names.txt"), "alice\nbob\n");
        table.sql("set global local_infile = 1");
        try (Connection connection = watched("&allowLocalInfile=true").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            execute(connection, "load data local infile '" + file + "' into table TABLE (username)");
            assertThat(isFree("bob")).isFalse();
            awaitReady();
            assertNothingCommittedIsFree();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&rewriteBatchedStatements=true",
                "&useServerPrepStmts=true",
                "&rewriteBatchedStatements=true&useServerPrepStmts=true",
                "&useBulkStmts=true",
                "&useLocalSessionState=true",
                "&useLocalTransactionState=true"
            })
    void batchesAreUnderstoodHoweverTheDriverSendsThem(String options) throws SQLException {
        try (Connection connection = watched(options).getConnection()) {
            for (boolean alone : new boolean[] {false, true}) {
                connection.setAutoCommit(alone);
                String sql = "insert into " + table.name() + " (username) values (?)";
                try (PreparedStatement statement =
                        connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                    for (String name : List.of("anna", "bert", "carl")) {
                        assertThat(isFree(name + alone)).isTrue();
                        statement.setString(1, name + alone);
                        statement.addBatch();
                    }
                    statement.executeBatch();
                }
                assertThat(isFree("bert" + alone)).isFalse();
                if (!alone) {
                    connection.commit();
                }
                assertNothingCommittedIsFree();
            }
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("6");
            assertThat(state()).as("nothing was unseen").isEqualTo(KindState.READY);
        }
    }

    /** Each is followed by an insert that has not been committed when somebody asks. */
    @ParameterizedTest
    @ValueSource(strings = {"set autocommit = 0", "start transaction", "begin", "set @@session.autocommit = off"})
    void aTransactionThatATextBeginsIsNotCommittedByItsStatements(String sql) throws SQLException {
        try (Connection connection = watched("").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            execute(connection, sql);
            update(connection, "insert into TABLE (username) values (?)", "alice");
            isFree("alice");
            execute(connection, "commit");
            assertThat(isFree("alice")).isFalse();
            assertNothingCommittedIsFree();
        }
    }

    /** Connector/J then says that autocommit is on. */
    @Test
    void aTransactionThatThePoolHasBegunIsNotCommittedByItsStatements() throws SQLException {
        DataSource pool = Driver.dataSource(driver.url("untaken"), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set autocommit = 0");
            }
        });
        try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
            assertThat(isFree("alice")).isTrue();
            update(connection, "insert into TABLE (username) values (?)", "alice");
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
            isFree("alice");
            execute(connection, "commit");
            assertThat(isFree("alice")).isFalse();
            assertNothingCommittedIsFree();
        }
    }

    private record Branch(byte number) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {number};
        }
    }

    /** Both drivers say that autocommit is on in a branch of XA. */
    @Test
    void aBranchOfXaIsNotCommittedByItsStatements() throws SQLException, XAException {
        XAConnection xa = driver.xaConnection();
        try {
            DataSource pool = Driver.proxy(DataSource.class, (method, arguments) -> xa.getConnection());
            XAResource resource = xa.getXAResource();
            try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
                assertThat(isFree("alice")).isTrue();
                Xid branch = new Branch((byte) (1 + driver.ordinal()));
                resource.start(branch, XAResource.TMNOFLAGS);
                update(connection, "insert into TABLE (username) values (?)", "alice");
                isFree("alice");
                resource.end(branch, XAResource.TMSUCCESS);
                resource.prepare(branch);
                isFree("alice");
                resource.commit(branch, false);
                assertThat(isFree("alice")).isFalse();
                assertNothingCommittedIsFree();
            }
            assertNothingCommittedIsFree();
        } finally {
            xa.close();
        }
    }

    @Test
    void aTableThatIsPutInThePlaceOfThisOneIsUnseen() throws SQLException {
        try (Connection connection = watched("").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            execute(connection, "create table TABLE_new like TABLE");
            update(connection, "insert into TABLE_new (username) values (?)", "alice");
            execute(connection, "rename table TABLE to TABLE_old, TABLE_new to TABLE");
            assertNothingCommittedIsFree();
            awaitReady();
            assertThat(isFree("alice")).isFalse();
        } finally {
            table.sql("drop table if exists TABLE_old");
        }
    }

    /** The pool is the application's and the checker's. */
    @Test
    void aTemporaryTableHidesNoName() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice'), ('bob')");
        DataSource watched = watched(driver.dataSource());
        try (Connection connection = watched.getConnection()) {
            execute(connection, "create temporary table TABLE (id bigint primary key, username varchar(8) unique)");
        }
        for (int i = 0; i < 10; i++) {
            assertThat(isFree("alice")).isFalse();
        }
        awaitReady();
        checker.rescan(USERNAME);
        awaitReady();
        assertNothingCommittedIsFree();
    }

    @Test
    void aRollbackThatAnotherEngineIgnoresFreesNothing() throws SQLException {
        table.sql("alter table TABLE engine = Aria");
        try (Connection connection = watched("").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            connection.setAutoCommit(false);
            update(connection, "insert into TABLE (username) values (?)", "alice");
            connection.rollback();
            assertThat(table.query("select username from TABLE")).isEqualTo("alice");
            assertThat(isFree("alice")).isFalse();
            assertNothingCommittedIsFree();
        }
    }

    /** In the session alone, as an old application would have it. */
    @ParameterizedTest
    @ValueSource(strings = {"alexander", "alexandra the great", "josephin 9", "12345678 "})
    void aNameThatTheColumnCutsIsTakenAsItIsStored(String name) throws SQLException {
        DataSource pool = Driver.dataSource(driver.url("untaken"), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set sql_mode = ''");
            }
        });
        String stored = name.substring(0, 8).strip();
        try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
            assertThat(isFree(stored)).isTrue();
            update(connection, "insert into TABLE (username) values (?)", name);
            assertThat(table.query("select username from TABLE").strip()).isEqualTo(stored);
            assertThat(isFree(stored)).isFalse();
            update(connection, "update TABLE set username = ?", "bob");
            assertThat(isFree("bob")).isFalse();
            update(connection, "update TABLE set username = ?", name);
            assertThat(isFree(stored)).isFalse();
            assertNothingCommittedIsFree();
        }
    }

    @Test
    void aNameThatIsRefusedForItsLengthIsFree() throws SQLException {
        try (Connection connection = watched("").getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> update(connection, "insert into TABLE (username) values (?)", "alexander"))
                    .isInstanceOf(SQLException.class);
            connection.rollback();
            assertThat(isFree("alexande")).isTrue();
            assertThat(state()).isEqualTo(KindState.READY);
        }
    }
}

package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
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
        return watched(pool, JdbcIdentifiers.table(reads, table.name(), "username"));
    }

    private DataSource watched(DataSource pool, JdbcIdentifiers identifiers) {
        DataSource watched = WatchedDataSource.of(pool, identifiers);
        checker = AvailabilityChecker.builder()
                .source(identifiers)
                .recheckTimeout(Duration.ofMinutes(1))
                // Dozens of scans come one after the other, and they are given one a minute; but also as long a pause
                // as a scan takes.
                .ticker(() -> 60 * System.nanoTime())
                .rescanInterval(Duration.ofDays(365))
                .normalizer(
                        USERNAME,
                        UsernameNormalizer.builder()
                                .characters(c -> c < 128 && Character.isLetterOrDigit(c))
                                .build())
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
        Console.update(connection, sql.replace("TABLE", table.name()), values);
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("TABLE", table.name()));
        }
    }

    private static final List<String> NOT_UNDERSTOOD_ON_BOTH = List.of(
            "replace into TABLE (username) values ('NAME')",
            "replace TABLE set username = 'NAME'",
            "insert ignore into TABLE (username) values ('NAME')",
            "insert TABLE (username) values ('NAME')",
            "insert into TABLE set username = 'NAME'",
            "insert into TABLE (username) select 'NAME'",
            "insert into TABLE (username) values (\"NAME\")",
            "insert into TABLE (username) values (lower('NAME'))",
            "insert into TABLE (username) values ('' 'NAME')",
            "insert into TABLE (username) values (_utf8mb4'NAME')",
            "insert into TABLE (username) values (n'NAME')",
            "insert into TABLE values (default, 'NAME')",
            "update ignore TABLE set username = 'NAME' where id = 1",
            "update low_priority TABLE set username = 'NAME' where id = 1",
            "update TABLE a join (select 'NAME' name) b set a.username = b.name where a.id = 1",
            "update TABLE set username = 'NAME' order by id limit 1",
            "/*!50000 insert into */ TABLE (username) values ('NAME')");

    private static final List<String> ONLY_ON_MYSQL = List.of(
            "insert into TABLE (username) values row('NAME')",
            "insert into TABLE (username) with n as (select 'NAME' name) select name from n",
            "with n as (select 'NAME' name) update TABLE a join n set a.username = n.name where a.id = 1",
            "insert into TABLE (username) select * from json_table('[\"NAME\"]', '$[*]' columns (n varchar(8) path '$')) j",
            "insert into TABLE (id, username) values (1, 'x') as n on duplicate key update username = 'NAME'",
            "insert into TABLE (username) values ('NAME') as n (name) on duplicate key update username = n.name",
            "insert into TABLE (username) values ('NAME') as n on duplicate key update username = concat(n.username, 'x')");

    private static final List<String> ONLY_ON_MARIADB = List.of(
            "insert into TABLE /*M! (username) values ('NAME') */",
            "set statement max_statement_time = 9 for insert into TABLE (username) values ('NAME')",
            "set statement max_statement_time = 9 for update TABLE set username = 'NAME' where id = 1",
            "analyze format=json insert into TABLE (username) values ('NAME')",
            "execute immediate 'insert into TABLE (username) values (''NAME'')'",
            "begin not atomic insert into TABLE (username) values ('NAME'); end");

    @Test
    void whatIsNotUnderstoodIsUnseenUntilAScan() throws SQLException {
        table.sql("insert into TABLE (id, username) values (1, 'old')");
        List<String> texts = new ArrayList<>(NOT_UNDERSTOOD_ON_BOTH);
        texts.addAll(Product.UNDER_TEST == Product.MYSQL ? ONLY_ON_MYSQL : ONLY_ON_MARIADB);
        try (Connection connection = watched("").getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < texts.size(); i++) {
                String name = "name" + i;
                String sql = texts.get(i).replace("NAME", name);
                assertThat(isFree(name)).isTrue();
                execute(connection, sql);
                assertThat(state()).as(sql).isEqualTo(KindState.DEGRADED);
                isFree(name); // nothing is committed
                connection.commit();
                assertThat(table.query("select username from TABLE").lines())
                        .as(sql)
                        .contains(name);
                assertThat(isFree(name)).as(sql).isFalse();
                awaitReady();
                assertThat(isFree(name)).as(sql).isFalse();
            }
            assertNothingCommittedIsFree();
        }
    }

    @Test
    void bothNamesOfAnUpsertAreTold() throws SQLException {
        table.sql("insert into TABLE (id, username) values (1, 'old')");
        try (Connection connection = watched("").getConnection()) {
            for (String sql : List.of(
                    "insert into TABLE (username) values ('alice') on duplicate key update username = 'bob'",
                    "insert into TABLE (id, username) values (1, 'x') on duplicate key update username = 'carol'")) {
                execute(connection, sql);
                assertThat(state()).as(sql).isEqualTo(KindState.READY);
                assertNothingCommittedIsFree();
            }
            assertThat(isFree("alice") || isFree("carol")).isFalse();
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
        try (Connection connection =
                watched("&allowLocalInfile=true&allowLoadLocalInfile=true").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            execute(connection, "load data local infile '" + file + "' into table TABLE (username)");
            assertThat(isFree("bob")).isFalse();
            awaitReady();
            assertNothingCommittedIsFree();
        }
    }

    private static final List<String> WAYS_TO_SEND = List.of(
            "",
            "&rewriteBatchedStatements=true",
            "&useServerPrepStmts=true",
            "&rewriteBatchedStatements=true&useServerPrepStmts=true",
            "&useBulkStmts=true",
            "&useLocalSessionState=true",
            "&useLocalTransactionState=true");

    @Test
    void batchesAreUnderstoodHoweverTheDriverSendsThem() throws SQLException {
        AtomicReference<String> options = new AtomicReference<>("");
        DataSource pool = StandIn.of(
                DataSource.class,
                (method, arguments) -> DriverManager.getConnection(driver.url("untaken") + options.get()));
        DataSource watched = watched(pool, driver.dataSource());
        for (String way : WAYS_TO_SEND) {
            options.set(way);
            for (boolean alone : new boolean[] {false, true}) {
                String name = "n" + WAYS_TO_SEND.indexOf(way) + (alone ? "a" : "b");
                try (Connection connection = watched.getConnection()) {
                    connection.setAutoCommit(alone);
                    String sql = "insert into " + table.name() + " (username) values (?)";
                    try (PreparedStatement statement =
                            connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
                        for (int i = 0; i < 3; i++) {
                            assertThat(isFree(name + i)).isTrue();
                            statement.setString(1, name + i);
                            statement.addBatch();
                        }
                        statement.executeBatch();
                    }
                    assertThat(checker.check(USERNAME, name + 1).decidedBy())
                            .as("told")
                            .isEqualTo(DecidedBy.STORE);
                    if (!alone) {
                        connection.commit();
                    }
                }
                assertNothingCommittedIsFree();
            }
        }
        assertThat(table.query("select count(*) from TABLE")).isEqualTo("42");
        assertThat(state()).as("nothing was unseen").isEqualTo(KindState.READY);
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

    /** Under REPEATABLE READ the first question of such a connection would fix what all later ones see. */
    @Test
    void whatAPoolReadsThatTurnsAutocommitOffIsNotOld() {
        DataSource reads = Driver.dataSource(driver.url("untaken"), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set autocommit = 0");
            }
        });
        RegisteredIdentifierStore store = table.store(reads);
        for (String name : List.of("anna", "bert", "carl")) {
            assertThat(store.exists(name, Duration.ofSeconds(5))).isEqualTo(Presence.ABSENT);
            table.sql("insert into TABLE (username) values ('" + name + "')");
            assertThat(store.exists(name, Duration.ofSeconds(5))).as(name).isEqualTo(Presence.COUNTED);
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

    /** What MySQL's server is asked instead is answered by MariaDB's in the same way. */
    private static Connection asOfMySql(Connection connection) {
        return StandIn.of(Connection.class, (method, arguments) -> {
            Object result = method.invoke(connection, arguments);
            return result instanceof DatabaseMetaData catalog
                    ? StandIn.of(
                            DatabaseMetaData.class,
                            (asked, given) -> asked.getName().equals("getDatabaseProductVersion")
                                    ? "8.4.0"
                                    : asked.invoke(catalog, given))
                    : result;
        });
    }

    /** Both drivers say that autocommit is on in a branch of XA. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBranchOfXaIsNotCommittedByItsStatements(boolean mySql) throws SQLException, XAException {
        XAConnection xa = driver.xaConnection();
        try {
            DataSource pool = StandIn.of(
                    DataSource.class,
                    (method, arguments) -> mySql ? asOfMySql(xa.getConnection()) : xa.getConnection());
            XAResource resource = xa.getXAResource();
            try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
                assertThat(isFree("alice")).isTrue();
                Xid branch = new Branch((byte) (1 + driver.ordinal() + (mySql ? 2 : 0)));
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

    /** Connector/J's own flag says that autocommit is off, the server's that it is on. */
    @Test
    void turningOnWhatATextHasTurnedOnCommitsNothing() throws SQLException {
        try (Connection connection = watched("").getConnection()) {
            connection.setAutoCommit(false);
            assertThat(isFree("alice")).isTrue();
            execute(connection, "set autocommit = 1");
            execute(connection, "start transaction");
            update(connection, "insert into TABLE (username) values (?)", "alice");
            connection.setAutoCommit(true);
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
            isFree("alice");
            execute(connection, "commit");
            assertThat(isFree("alice")).isFalse();
            assertNothingCommittedIsFree();
        }
    }

    /** The driver says that autocommit is on. The server is done with the statement, and the barrier sees the branch. */
    @Test
    void whatIsRefusedInABranchOfXaIsOver() throws SQLException, XAException {
        List<String> told = new CopyOnWriteArrayList<>();
        table.sql("insert into TABLE (username) values ('bob')");
        XAConnection xa = driver.xaConnection();
        try {
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(driver.dataSource(), table.name(), "username");
            identifiers.connect(() -> StandIn.of(IdentifierWrite.class, (method, arguments) -> {
                told.add(method.getName());
                return null;
            }));
            DataSource pool = StandIn.of(DataSource.class, (method, arguments) -> xa.getConnection());
            XAResource resource = xa.getXAResource();
            Xid branch = new Branch((byte) (11 + driver.ordinal()));
            try (Connection connection = WatchedDataSource.of(pool, identifiers).getConnection()) {
                resource.start(branch, XAResource.TMNOFLAGS);
                assertThatThrownBy(() -> execute(connection, "insert into TABLE (username) select 'bob'"))
                        .isInstanceOf(SQLException.class);
                assertThat(told).containsExactly("unseen", "over", "ended");
                Class<?> behind = driver == Driver.MARIADB ? org.mariadb.jdbc.Connection.class : JdbcConnection.class;
                connection.unwrap(behind);
            }
            assertThat(told)
                    .as("the server answers over what was handed out")
                    .containsExactly("unseen", "over", "ended", "unseen", "over", "ended");
            resource.end(branch, XAResource.TMSUCCESS);
            resource.rollback(branch);
        } finally {
            xa.close();
        }
    }

    /** The driver sends no rollback: the server's last word is that no transaction is open, for it has not been read to its end. */
    @Test
    void aRollbackBesideRowsThatAreStillSentFreesNothing() throws SQLException {
        assumeTrue(Product.UNDER_TEST == Product.MARIADB, "MySQL has no RETURNING");
        try (Connection connection = watched("").getConnection()) {
            assertThat(isFree("alice")).isTrue();
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(
                    "insert into " + table.name() + " (username) values (?), ('zoe') returning id")) {
                statement.setString(1, "alice");
                statement.setFetchSize(driver == Driver.MARIADB ? 1 : Integer.MIN_VALUE);
                assertThat(statement.execute()).isTrue();
                statement.getResultSet().next();
                try {
                    connection.rollback();
                } catch (SQLException e) {
                    assertThat(driver).isEqualTo(Driver.MYSQL); // it refuses
                }
                isFree("alice");
            }
            connection.setAutoCommit(true);
            assertNothingCommittedIsFree();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInsertByItselfIsCommitted(boolean mySql) throws SQLException {
        DataSource pool = StandIn.of(
                DataSource.class, (method, arguments) -> mySql ? asOfMySql(driver.connection()) : driver.connection());
        try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
            update(connection, "insert into TABLE (username) values (?)", "alice");
            assertThat(isFree("alice")).isFalse();
        }
    }

    @Test
    void aTableThatIsPutInThePlaceOfThisOneIsUnseen() throws SQLException {
        DataSource watched = watched("");
        table.sql("drop table if exists TABLE_old, TABLE_new", "create table TABLE_new like TABLE");
        try (Connection connection = watched.getConnection()) {
            update(connection, "insert into TABLE_new (username) values (?)", "alice");
            assertThat(isFree("alice")).isTrue();
            execute(connection, "rename table TABLE to TABLE_old, TABLE_new to TABLE");
            assertNothingCommittedIsFree();
        }
        awaitReady();
        assertThat(isFree("alice")).isFalse();
        table.sql("drop table TABLE_old");
    }

    /** The pool is the application's and the checker's. */
    @Test
    void aTemporaryTableHidesNoName() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice'), ('bob')");
        DataSource watched = watched(driver.dataSource());
        try (Connection connection = watched.getConnection()) {
            execute(connection, TEMPORARY);
        }
        assertStoredNamesAreFound();
    }

    private static final String TEMPORARY =
            "create temporary table TABLE (id bigint primary key, username varchar(8) unique)";

    private void assertStoredNamesAreFound() {
        for (int i = 0; i < 10; i++) {
            assertThat(isFree("alice")).isFalse();
        }
        awaitReady();
        checker.rescan(USERNAME);
        awaitReady();
        assertNothingCommittedIsFree();
    }

    /** The server knows case in names of tables, and the application does not write what the catalog has. */
    @Test
    void aTemporaryTableHidesNoNameHoweverTheTableIsSpelled() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice'), ('bob')");
        DataSource pool = driver.dataSource();
        DataSource watched =
                watched(pool, JdbcIdentifiers.table(pool, table.name().toUpperCase(Locale.ROOT), "username"));
        try (Connection connection = watched.getConnection()) {
            execute(connection, TEMPORARY);
        }
        assertStoredNamesAreFound();
    }

    @Test
    void aTemporaryTableHidesNoNameFromAnotherDatabase() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice'), ('bob')");
        // The checker's reads need the database to be this one again, as a pool would see to.
        DataSource pool = Driver.dataSource(driver.url("untaken"), connection -> connection.setCatalog("names"));
        DataSource watched = watched(pool);
        try (Connection connection = watched.getConnection()) {
            execute(connection, TEMPORARY);
            connection.setCatalog("mysql");
        }
        assertStoredNamesAreFound();
    }

    @Test
    void aTemporaryTableThatWasMadeBehindTheWatchHidesNoName() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice'), ('bob')");
        DataSource watched = watched(driver.dataSource());
        Class<? extends Connection> own =
                driver == Driver.MARIADB ? org.mariadb.jdbc.Connection.class : com.mysql.cj.jdbc.JdbcConnection.class;
        try (Connection connection = watched.getConnection()) {
            execute(connection.unwrap(own), TEMPORARY);
        }
        assertStoredNamesAreFound();
    }

    /** Between the end of a branch and its commit the server refuses almost everything. */
    @Test
    void aConnectionWhoseTemporaryTableCannotBeDroppedIsNotGivenBack() throws SQLException {
        AtomicReference<@Nullable Connection> lent = new AtomicReference<>();
        DataSource reads = driver.dataSource();
        DataSource watched = watched(Driver.dataSource(driver.url("untaken"), lent::set), reads);
        try (Connection connection = watched.getConnection()) {
            execute(connection, TEMPORARY);
            execute(connection, "xa start 'TABLE'");
        }
        assertThat(lent.get().isClosed())
                .as("a branch that is open is no hindrance on MariaDB")
                .isEqualTo(Product.UNDER_TEST == Product.MYSQL);
        if (lent.get().isClosed()) {
            return;
        }
        try (Connection connection = watched.getConnection()) {
            execute(connection, "drop temporary table if exists TABLE");
            execute(connection, "xa end 'TABLE'");
        }
        assertThat(lent.get().isClosed()).isTrue();
    }

    @Test
    void aRollbackThatAnotherEngineIgnoresFreesNothing() throws SQLException {
        table.sql("alter table TABLE engine = " + Product.UNDER_TEST.otherEngine());
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
    @Test
    void aNameThatTheColumnCutsIsTakenAsItIsStored() throws SQLException {
        DataSource pool = Driver.dataSource(driver.url("untaken"), connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set sql_mode = ''");
            }
        });
        try (Connection connection = watched(pool, driver.dataSource()).getConnection()) {
            for (String name : List.of("alexander", "mariannethegreat", "1234567890")) {
                String stored = name.substring(0, 8);
                assertThat(isFree(stored)).isTrue();
                update(connection, "insert into TABLE (username) values (?)", name);
                assertThat(table.query("select username from TABLE").strip()).isEqualTo(stored);
                assertThat(isFree(stored)).as(stored).isFalse();
                update(connection, "update TABLE set username = ?", "bob");
                assertThat(isFree("bob")).isFalse();
                assertThat(isFree(stored)).isTrue();
                update(connection, "update TABLE set username = ?", name);
                assertThat(isFree(stored)).as(stored).isFalse();
                update(connection, "delete from TABLE where id > ?", "0");
            }
            assertThat(state()).as("nothing was unseen").isEqualTo(KindState.READY);
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

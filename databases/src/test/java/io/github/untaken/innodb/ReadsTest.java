package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A read sees what is committed when it starts, whatever state its connection is in, and ends in time. */
@ParameterizedClass
@EnumSource
class ReadsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Driver driver;
    private final Table table;
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();

    ReadsTest(Driver driver) {
        this.driver = driver;
        this.table = new Table(driver, "varchar(20)");
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
        table.close();
    }

    /** A pool of one connection, which comes as the last borrower has left it. */
    private DataSource poolOf(Connection connection) {
        opened.add(connection);
        Connection lent = StandIn.of(
                Connection.class,
                (method, arguments) -> method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return StandIn.of(DataSource.class, (method, arguments) -> lent);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void anOldSnapshotOfAPooledConnectionIsGivenUp() throws SQLException {
        Connection pooled = driver.connection();
        RegisteredIdentifierStore store = table.store(poolOf(pooled));
        pooled.setAutoCommit(false);
        execute(pooled, "select * from " + table.name());
        table.sql("insert into TABLE (username) values ('alice')");
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(pooled.getAutoCommit()).isFalse();
        assertThat(pooled.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }

    @Test
    void aTransactionBegunByATextOfSqlIsGivenUp() throws SQLException {
        Connection pooled = driver.connection();
        RegisteredIdentifierStore store = table.store(poolOf(pooled));
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        execute(pooled, "begin");
        execute(pooled, "select * from " + table.name());
        table.sql("insert into TABLE (username) values ('alice')");
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(((Batched) store).existEach(List.of("bob", "alice"), TIMEOUT))
                .containsExactly(Presence.ABSENT, Presence.COUNTED);
        assertThat(pooled.getAutoCommit()).isTrue();
    }

    /** MariaDB's answer tells of a transaction that a text has begun; on MySQL it is ended first. */
    @Test
    void aRecheckTakesFewRoundTrips() throws SQLException {
        Connection pooled = driver.connection();
        RegisteredIdentifierStore store = table.store(poolOf(pooled));
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        long before = questions(pooled);
        for (int i = 0; i < 10; i++) {
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        }
        int asWell = (Product.UNDER_TEST == Product.MYSQL ? 1 : 0) + (driver == Driver.MYSQL ? 1 : 0);
        assertThat(questions(pooled) - before - 1)
                .as("MySQL's driver asks whether the connection is read-only")
                .isEqualTo(10 * (1 + asWell));
    }

    /** Of this connection, this one too. */
    private static long questions(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show session status like 'Questions'")) {
            row.next();
            return row.getLong(2);
        }
    }

    @Test
    void underReadUncommittedADeleteUnderWayFreesNothing() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice')");
        try (Connection deleting = driver.connection()) {
            deleting.setAutoCommit(false);
            table.delete(deleting, "alice");
            for (boolean autoCommit : List.of(true, false)) {
                Connection pooled = driver.connection();
                RegisteredIdentifierStore store = table.store(poolOf(pooled));
                pooled.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
                pooled.setAutoCommit(autoCommit);
                assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
                assertThat(pooled.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_UNCOMMITTED);
            }
            deleting.rollback();
        }
    }

    @Test
    void underSerializableAReadWaitsForNoWriter() throws SQLException {
        Connection pooled = driver.connection();
        RegisteredIdentifierStore store = table.store(poolOf(pooled));
        pooled.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        pooled.setAutoCommit(false);
        try (Connection writer = driver.connection()) {
            writer.setAutoCommit(false);
            table.insert(writer, "alice");
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
            writer.rollback();
        }
    }

    @Test
    void theServerItselfEndsAReadThatTakesTooLong() throws Exception {
        RegisteredIdentifierStore store = table.store();
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        try (Connection locking = driver.connection()) {
            execute(locking, "lock table " + table.name() + " write");
            long begun = System.nanoTime();
            assertThatThrownBy(() -> store.exists("alice", Duration.ofSeconds(1)))
                    .isInstanceOf(StoreException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
            assertThat(table.query("select count(*) from information_schema.processlist where info like"
                            + " 'select case%' or info like 'SET STATEMENT%'"))
                    .as("reads that the server still runs")
                    .isEqualTo("0");
            execute(locking, "unlock tables");
        }
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
    }

    @Test
    void aReplicaIsNotBelieved() {
        RegisteredIdentifierStore store = table.store();
        assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        table.sql("set global read_only = 1");
        try {
            assertThatThrownBy(() -> store.exists("alice", TIMEOUT))
                    .isInstanceOf(StoreException.class)
                    .rootCause()
                    .hasMessageContaining("a replica answered");
            assertThatThrownBy(() -> ((Identified) store).present()).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store.scan(value -> {})).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> ((Barrier) store).awaitOpenTransactions(TIMEOUT))
                    .isInstanceOf(StoreException.class);
        } finally {
            table.sql("set global read_only = 0");
        }
    }

    @Test
    void aQuestionIsAnsweredFromTheIndex() {
        for (String type :
                List.of("varchar(40)", "varchar(40) character set latin1", "varchar(40) character set utf8mb3")) {
            try (Table other = new Table(driver, type)) {
                other.sql("insert into TABLE (username) select concat('name', seq) from seq_1_to_20000");
                RegisteredIdentifierStore store = other.store();
                for (String name : List.of("name77", "nobody", "\u5f20\u4f1f", "\ud83d\ude00")) {
                    assertThat(store.exists(name, TIMEOUT)).as(type).isEqualTo(Presence.of(name.equals("name77")));
                    long before = table.rowsRead();
                    store.exists(name, TIMEOUT);
                    assertThat(table.rowsRead() - before)
                            .as("rows read for %s in %s", name, type)
                            .isLessThan(10_000);
                }
            }
        }
    }

    @Test
    void aScanWithoutASingleKeyStreams() throws SQLException {
        String name = table.name() + "_pairs";
        table.sql(
                "create table " + name + " (a int, b int, username varchar(200), primary key (a, b))",
                "insert into " + name + " select 1, seq, concat(repeat('x', 180), seq) from seq_1_to_300000");
        RegisteredIdentifierStore store = io.github.untaken.jdbc.JdbcIdentifiers.table(
                        driver.dataSource(), name, "username")
                .stores()
                .values()
                .iterator()
                .next()
                .get(0);
        System.gc();
        long before = used();
        long[] most = {0, 0};
        store.scan(value -> {
            if (++most[1] % 100_000 == 1) {
                System.gc();
                most[0] = Math.max(most[0], used() - before);
            }
        });
        table.sql("drop table " + name);
        assertThat(most[1]).isEqualTo(300_000);
        // All of them are 60 MB and more.
        assertThat(most[0]).as("bytes").isLessThan(20_000_000);
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void theDatabaseIsToldByItsServerAndByItsLog() {
        Identified store = (Identified) table.store();
        DatabaseMark first = store.present();
        assertThat(first.identity()).isNotBlank();
        assertThat(first.position()).isPositive();
        table.sql("insert into TABLE (username) values ('alice')");
        // MySQL shows how far its log is a little later.
        Eventually.holds("the log has gone on", () -> store.present().position() > first.position());
        DatabaseMark second = store.present();
        assertThat(second.follows(first)).isTrue();
        assertThat(first.follows(second)).isFalse();
    }

    @Test
    void theColumnIsDescribedAndComparedByItsCollation() {
        Comparing store = (Comparing) table.store();
        assertThat(store.describe().unique()).isTrue();
        assertThat(store.describe().collation()).isEqualTo(Product.UNDER_TEST.collation());
        assertThat(store.heldEqual(List.of(
                        new ValuePair("alice", "ALICE"),
                        new ValuePair("jose", "jos\u00e9"),
                        new ValuePair("alice", "bob"),
                        new ValuePair("alice", "alice "))))
                .as("MySQL's default counts blanks at the end")
                .containsExactly(true, true, false, Product.UNDER_TEST == Product.MARIADB);
        table.sql("alter table TABLE modify username varchar(20) character set latin1 collate latin1_general_cs");
        assertThat(store.heldEqual(List.of(
                        new ValuePair("alice", "ALICE"),
                        new ValuePair("\u5f20", "\u4f1f"),
                        new ValuePair("?", "\u4f1f"),
                        new ValuePair("\u00e9", "\u00e9"))))
                .containsExactly(false, false, false, true);
        table.sql("alter table TABLE drop index username, add unique (username(5))");
        assertThat(store.describe())
                .matches(column -> !column.unique()
                        && column.collation().equals("latin1_general_cs; unique by its first 5 characters"));
    }
}

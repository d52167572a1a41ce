package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transactions a scan waits for before it begins. */
@ParameterizedClass
@EnumSource
class BarrierTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(400);

    private final Driver driver;
    private final Table table;
    private final Barrier barrier;

    BarrierTest(Driver driver) {
        this.driver = driver;
        this.table = new Table(driver, "varchar(20)");
        this.barrier = (Barrier) table.store();
    }

    @AfterEach
    void close() {
        table.close();
    }

    private void passes() {
        assertThat(barrier.awaitOpenTransactions(TIMEOUT)).as("proved").isTrue();
    }

    private AbstractThrowableAssert<?, ?> staysClosed() {
        return assertThatThrownBy(() -> barrier.awaitOpenTransactions(SHORT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
    }

    private Connection begin(String... statements) throws SQLException {
        Connection connection = driver.connection();
        connection.setAutoCommit(false);
        for (String sql : statements) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql.replace("TABLE", table.name()));
            }
        }
        return connection;
    }

    @Test
    void waitsForWhatWasWrittenBeforeAndNamesTheConnection() throws SQLException {
        passes();
        try (Connection writer = begin("insert into TABLE (username) values ('alice')")) {
            staysClosed().hasMessageContaining("connection " + id(writer)).hasMessageNotContaining("alice");
            writer.commit();
            passes();
        }
    }

    /** One of MySQL's lists has texts in three bytes a character. That of InnoDB has, too: a writer's own statement still breaks it. */
    @Test
    void whatSomebodyAsksInRareCharactersKeepsNobodyFromTheList() throws Exception {
        try (Connection writer = begin("insert into TABLE (username) values ('alice')");
                Connection reader = driver.connection()) {
            CompletableFuture<Void> asking = run(reader, "select sleep(3), '\uD81A\uDF60 \uD83D\uDE00'");
            awaitSleeper();
            staysClosed().hasMessageContaining("connection " + id(writer));
            asking.get(30, TimeUnit.SECONDS);
            writer.commit();
            passes();
        }
    }

    private void awaitSleeper() throws SQLException {
        try (Connection look = driver.connection()) {
            Eventually.holds("it is asked", () -> {
                try (Statement statement = look.createStatement();
                        ResultSet rows = statement.executeQuery("show processlist")) {
                    boolean asked = false;
                    while (rows.next()) {
                        asked |= String.valueOf(rows.getString("Info")).startsWith("select sleep(3)");
                    }
                    return asked;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static String id(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select connection_id()")) {
            row.next();
            return row.getString(1);
        }
    }

    /** InnoDB shows a copy of its list that may be 100 ms old, so whoever looks a second time may be shown what was. */
    @Test
    void isNotShownAnOldListThatLacksTheWriter() throws SQLException {
        for (int i = 0; i < 3; i++) {
            passes();
            try (Connection writer = begin("insert into TABLE (username) values ('alice')")) {
                staysClosed();
                writer.rollback();
            }
        }
    }

    @Test
    void saysSoIfSomebodyKeepsTheListFromBeingMadeAnew() throws Exception {
        try (Connection nosy = driver.connection();
                Statement look = nosy.createStatement()) {
            CompletableFuture<Void> looking = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    while (!looking.isDone()) {
                        look.executeQuery("select count(*) from information_schema.innodb_trx")
                                .close();
                        TimeUnit.MILLISECONDS.sleep(20);
                    }
                } catch (SQLException | InterruptedException e) {
                    looking.completeExceptionally(e);
                }
            });
            TimeUnit.MILLISECONDS.sleep(150);
            thread.start();
            staysClosed().hasMessageContaining("never up to date");
            looking.complete(null);
            thread.join();
        }
        passes();
    }

    @Test
    void waitsForAPreparedTransactionWithoutAConnection() throws SQLException {
        Connection preparing = driver.connection();
        for (String sql : List.of(
                "xa start 'one'",
                "insert into TABLE (username) values ('alice')",
                "xa end 'one'",
                "xa prepare 'one'")) {
            preparing.createStatement().execute(sql.replace("TABLE", table.name()));
        }
        preparing.close();
        try {
            staysClosed().hasMessageContaining("prepared XA transaction");
        } finally {
            table.sql("xa rollback 'one'");
        }
        passes();
    }

    @Test
    void waitsForNobodyWhoOnlyReadsOrLocks() throws SQLException {
        table.sql("insert into TABLE (username) values ('alice')");
        try (Connection reader = begin("select username from TABLE");
                Connection locker = begin("select username from TABLE for update")) {
            passes();
            reader.rollback();
            locker.rollback();
        }
    }

    @Test
    void waitsForNobodyWhoWritesLater() throws SQLException {
        try (Connection first = begin("insert into TABLE (username) values ('alice')")) {
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::passes);
            try (Connection statistics = driver.connection()) {
                awaitLookOn(statistics);
            }
            try (Connection second = begin("insert into TABLE (username) values ('bob')")) {
                first.commit();
                waiting.join();
                second.rollback();
            }
        }
    }

    /** The barrier has looked at least once when its transaction has been seen. */
    private void awaitLookOn(Connection connection) throws SQLException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (Statement statement = connection.createStatement()) {
            while (System.nanoTime() < deadline) {
                try (ResultSet row = statement.executeQuery("show global status like 'Com_begin'")) {
                    row.next();
                    long begun = row.getLong(2);
                    if (before < 0) {
                        before = begun;
                    } else if (begun >= before + 2) {
                        return;
                    }
                }
            }
        }
        throw new AssertionError("the barrier never looked");
    }

    private long before = -1;

    @Test
    void keepsNobodyWaiting() throws Exception {
        try (Connection open = begin("insert into TABLE (username) values ('alice')");
                Connection stranger = driver.connection()) {
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::passes);
            long worst = Long.MAX_VALUE;
            // A machine that is busy elsewhere may be slow once; whoever waits for the barrier waits each time.
            for (int round = 0; round < 3; round++) {
                worst = Math.min(worst, slowestOf(200, stranger, round));
            }
            assertThat(waiting).isNotDone();
            open.commit();
            waiting.join();
            System.out.println("the slowest of 200 inserts beside a waiting barrier took " + worst / 1000 + " us");
            assertThat(Duration.ofNanos(worst)).isLessThan(Duration.ofMillis(50));
        }
    }

    private long slowestOf(int inserts, Connection stranger, int round) throws SQLException {
        long slowest = 0;
        for (int i = 0; i < inserts; i++) {
            long begun = System.nanoTime();
            table.insert(stranger, "name" + round + '-' + i);
            slowest = Math.max(slowest, System.nanoTime() - begun);
        }
        return slowest;
    }

    @Test
    void withoutTheRightToSeeOthersThereIsNoBarrierAndTheLogSaysOnceWhichItIs() throws SQLException {
        try (LoggedLines log = new LoggedLines();
                Connection writer = begin("insert into TABLE (username) values ('alice')")) {
            Barrier poor = (Barrier) table.store(Driver.dataSource(driver.url("poor"), connection -> {}));
            assertThat(poor.awaitOpenTransactions(SHORT)).isFalse();
            assertThat(poor.awaitOpenTransactions(SHORT)).isFalse();
            assertThat(log.warnings("PROCESS"))
                    .singleElement()
                    .asString()
                    .contains("GRANT PROCESS ON *.* TO 'poor'@'localhost'", "stay unknown until the next one");
            writer.rollback();
        }
    }

    /** Nothing of the one who waits is in InnoDB's list. */
    @Test
    void waitsForWhoAwaitsATableAndNamesHim() throws Exception {
        try (Connection waiting = begin();
                Connection owner = begin("lock tables TABLE read")) { // closed first, or nobody is
            String named = "connection " + id(waiting);
            CompletableFuture<Void> insert = run(waiting, "insert into TABLE (username) values ('alice')");
            awaitAWaiter();
            staysClosed().hasMessageContaining(named);
            CompletableFuture<Boolean> waits =
                    CompletableFuture.supplyAsync(() -> barrier.awaitOpenTransactions(Duration.ofSeconds(30)));
            staysClosed(); // so long that the other has looked
            owner.createStatement().execute("unlock tables");
            insert.get(20, TimeUnit.SECONDS);
            staysClosed();
            assertThat(waits).isNotDone();
            waiting.commit();
            assertThat(waits.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private CompletableFuture<Void> run(Connection connection, String sql) {
        return CompletableFuture.runAsync(() -> {
            try {
                connection.createStatement().execute(sql.replace("TABLE", table.name()));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void awaitAWaiter() throws SQLException {
        try (Connection look = driver.connection()) {
            Eventually.holds("somebody waits", () -> {
                try (Statement statement = look.createStatement();
                        ResultSet row = statement.executeQuery("select count(*) from information_schema.processlist"
                                + " where state like 'Waiting for table metadata lock'")) {
                    return row.next() && row.getInt(1) > 0;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void aTableOfAnotherEngineHasNoBarrier() {
        table.sql("alter table TABLE engine = " + Product.UNDER_TEST.otherEngine());
        assertThat(barrier.awaitOpenTransactions(SHORT)).isFalse();
    }
}

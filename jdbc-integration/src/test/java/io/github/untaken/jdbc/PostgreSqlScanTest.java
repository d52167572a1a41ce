package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.store.IdentifierTables;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a snapshot of PostgreSQL is taken, shared, confirmed and given up. */
@Tag("ci")
class PostgreSqlScanTest {
    /** Several parts. */
    private static final int ROWS = 120_000;

    private final TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)");
    private final String role = "r" + table.name();

    @AfterEach
    void close() {
        table.sql("drop table if exists TABLE_more");
        table.close();
        Extensions.run("do $$ begin if exists (select from pg_roles where rolname = '" + role + "') then drop owned by "
                + role + "; drop role " + role + "; end if; end $$");
    }

    private void fill(int rows) {
        table.sql("insert into TABLE (username) select 'user' || x from generate_series(1, " + rows + ") x");
    }

    private static List<String> scanned(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    private String asRole(String... rights) {
        Extensions.run("create role " + role + " login");
        for (String right : rights) {
            table.sql(right.replace("ROLE", role));
        }
        return table.url().replace("user=postgres", "user=" + role);
    }

    private static List<String> byTwo(Together store, Runnable meanwhile) {
        Queue<String> values = new ConcurrentLinkedQueue<>();
        try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
            assertThat(snapshot.parts()).hasSizeGreaterThan(2);
            meanwhile.run();
            Queue<Partition> left = new ConcurrentLinkedQueue<>(snapshot.parts());
            Runnable all = () -> {
                for (Partition next = left.poll(); next != null; next = left.poll()) {
                    next.scan(values::add);
                }
            };
            CompletableFuture<Void> helper = CompletableFuture.runAsync(all);
            all.run();
            helper.join();
            snapshot.confirm();
        }
        return List.copyOf(values);
    }

    @Test
    void twoConnectionsReadRangesOfOneSnapshot() {
        fill(ROWS);
        List<String> values = byTwo((Together) table.store(), () -> {
            table.sql(
                    "update TABLE set username = 'moved' || id where id % 2 = 0", "delete from TABLE where id < 1000");
            fill(10);
        });
        assertThat(values).hasSize(ROWS).doesNotHaveDuplicates().allMatch(value -> value.startsWith("user"));
        assertThat(table.connections().made()).as("and one is left to others").isEqualTo(3);
    }

    private static List<String> byTwoIfThatCanBe(Together store) {
        List<String> values = new ArrayList<>();
        try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
            snapshot.parts().forEach(part -> part.scan(values::add));
            snapshot.confirm();
        }
        return values;
    }

    @Test
    void aConnectionInWhichARoleWasLeftThatSeesFewerRowsIsNotUsed() {
        fill(ROWS);
        String unused = asRole(
                "alter table TABLE enable row level security",
                "create policy few on TABLE to ROLE using (id < 1000)",
                "grant select on TABLE to ROLE");
        AtomicInteger made = new AtomicInteger();
        try (IdleConnections pool = new IdleConnections(table.url(), connection -> {
            if (made.incrementAndGet() > 1) {
                connection.createStatement().execute("set role " + role);
            }
        })) {
            assertThat(byTwoIfThatCanBe((Together) table.store(pool))).hasSize(ROWS);
        }
    }

    @Test
    void whereTheDriverSetsASavepointBeforeEachStatementOneConnectionReadsAll() {
        fill(ROWS);
        try (IdleConnections pool = new IdleConnections(table.url() + "&autosave=always")) {
            assertThat(byTwoIfThatCanBe((Together) table.store(pool))).hasSize(ROWS);
        }
    }

    @Test
    void rangesOfAParentReachIntoPartitionsOfAnySize() {
        table.sql(
                "drop table TABLE",
                "create table TABLE (id bigint, username varchar(40)) partition by range (id)",
                "create table TABLE_low partition of TABLE for values from (minvalue) to (100)",
                "create table TABLE_high partition of TABLE for values from (100) to (maxvalue)",
                "insert into TABLE select x, 'user' || x from generate_series(1, " + ROWS + ") x");
        assertThat(byTwo((Together) table.store(), () -> {})).hasSize(ROWS).doesNotHaveDuplicates();
    }

    @Test
    void rangesOfATableReachIntoItsHeirs() {
        fill(100);
        table.sql(
                "create table TABLE_child (primary key (id)) inherits (TABLE)",
                "insert into TABLE_child select x, 'child' || x from generate_series(1, " + ROWS + ") x");
        assertThat(byTwo((Together) table.store(), () -> {}))
                .hasSize(ROWS + 100)
                .doesNotHaveDuplicates();
    }

    @Test
    void aViewIsReadByOneStatement() {
        fill(ROWS);
        table.sql("create view v_TABLE as select * from TABLE");
        Together view = (Together) table.store(new IdentifierColumn("v_" + table.name(), "username"));
        try (Snapshot snapshot = view.snapshot(List.of(view), 2)) {
            assertThat(snapshot.parts()).hasSize(1);
        }
        assertThat(scanned(view)).hasSize(ROWS);
    }

    @Test
    void oneConnectionReadsAllIfThereIsNoOther() {
        fill(ROWS);
        AtomicInteger lent = new AtomicInteger();
        Connections one = new Connections() {
            @Override
            public Connection open() throws SQLException {
                if (lent.getAndIncrement() > 0) {
                    throw new SQLException("no other", "08001");
                }
                return table.connections().open();
            }

            @Override
            public void close(Connection connection) {
                table.connections().close(connection);
            }
        };
        Together store = (Together) table.store(one);
        try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
            List<String> values = new ArrayList<>();
            snapshot.parts().forEach(part -> part.scan(values::add));
            snapshot.confirm();
            assertThat(values).hasSize(ROWS);
        }
        assertThat(lent).hasValue(2);
    }

    /** The snapshot would show nothing of the rows that came after it, and nothing of those that are gone. */
    @Test
    void theLockComesBeforeTheSnapshot() {
        fill(100);
        BeforeStatement connections = new BeforeStatement(
                table.connections(),
                "lock table",
                () -> table.sql("truncate table TABLE", "insert into TABLE (username) values ('after')"));
        assertThat(scanned(table.store(connections))).containsExactly("after");
        assertThat(connections.isDone()).isTrue();
    }

    /** Where the lock comes with the snapshot, or later, the file of the table is compared. */
    @Test
    void whoMayReadTheColumnOnlySeesThatTheTableWasEmptied() throws SQLException {
        fill(100);
        table.sql("create table TABLE_more (id bigint, username varchar(40))");
        String url =
                asRole("grant select (username) on TABLE to ROLE", "grant select (username) on TABLE_more to ROLE");
        try (IdleConnections limited = new IdleConnections(url)) {
            assertThat(scanned(table.store(limited))).hasSize(100);
            BeforeStatement connections = new BeforeStatement(
                    limited,
                    "from " + table.name() + " limit 0",
                    () -> table.sql("truncate table TABLE", "insert into TABLE (username) values ('after')"));
            IdentifierTables tables = new IdentifierTables(
                    connections,
                    Database.POSTGRESQL,
                    timeout -> {},
                    room -> {},
                    () -> table.marks(),
                    new CatalogFacts());
            List<Together> stores = List.of(
                    (Together) tables.store(new IdentifierColumn(table.name() + "_more", "username")),
                    (Together) tables.store(table.column()));
            assertThatThrownBy(() -> stores.get(0).snapshot(stores, 1).close())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("was redefined just before the scan");
            assertThat(connections.isDone()).isTrue();
        }
    }

    @Test
    void aMigrationThatWaitsGetsItsLockSoonAndTheScanFails() {
        fill(ROWS);
        List<CompletableFuture<Long>> migration = new ArrayList<>();
        long[] waitedSince = new long[1];
        assertThatThrownBy(() -> table.store().scan(value -> {
                    if (migration.isEmpty()) {
                        migration.add(CompletableFuture.supplyAsync(() -> {
                            table.sql("alter table TABLE add column city text");
                            return System.nanoTime();
                        }));
                        Eventually.holds("it waits", this::somebodyWaits);
                        table.query("select pg_sleep(0.1)"); // so that the next look is due
                        waitedSince[0] = System.nanoTime();
                    }
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("gave way to a statement");
        Duration waited = Duration.ofNanos(migration.get(0).join() - waitedSince[0]);
        System.out.println("the migration had its lock " + waited.toMillis() + " ms after it was seen to wait");
        assertThat(waited).isLessThan(Duration.ofSeconds(2));
        assertThat(scanned(table.store())).hasSize(ROWS);
    }

    private boolean somebodyWaits() {
        return table.query("select count(*) from pg_locks where not granted and relation = 'TABLE'::regclass")
                .equals("1");
    }

    @Test
    void whoeverWaitsForAnotherLockEndsNoScan() throws SQLException {
        fill(ROWS);
        List<CompletableFuture<Void>> writer = new ArrayList<>();
        List<String> values = new ArrayList<>();
        try (Connection indexing = table.connection();
                Statement statement = indexing.createStatement()) {
            indexing.setAutoCommit(false);
            statement.execute("lock table " + table.name() + " in share mode"); // as CREATE INDEX does
            table.store().scan(value -> {
                values.add(value);
                if (writer.isEmpty()) {
                    writer.add(CompletableFuture.runAsync(
                            () -> table.sql("insert into TABLE (username) values ('later')")));
                    Eventually.holds("it waits", this::somebodyWaits);
                }
            });
            indexing.rollback();
        }
        writer.get(0).join();
        assertThat(values).hasSize(ROWS);
    }

    @Test
    void aDefinitionThatIsUnderWayIsNotWaitedFor() throws SQLException {
        fill(10);
        try (Connection migrating = table.connection();
                Statement statement = migrating.createStatement()) {
            migrating.setAutoCommit(false);
            statement.execute("alter table " + table.name() + " add column city text");
            assertThatThrownBy(() -> scanned(table.store()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is being redefined");
            migrating.rollback();
        }
        assertThat(scanned(table.store())).hasSize(10);
    }

    @Test
    void aPartitionThatIsAttachedMeanwhileFailsTheScan() {
        table.sql(
                "drop table TABLE",
                "create table TABLE (id bigint, username varchar(40)) partition by range (id)",
                "create table TABLE_low partition of TABLE for values from (minvalue) to (100000)",
                "insert into TABLE select x, 'user' || x from generate_series(1, 25000) x",
                "create table TABLE_high (id bigint, username varchar(40))",
                "insert into TABLE_high values (100000, 'attached')");
        List<String> values = new ArrayList<>();
        assertThatThrownBy(() -> table.store().scan(value -> {
                    if (values.isEmpty()) {
                        table.sql("alter table TABLE attach partition TABLE_high"
                                + " for values from (100000) to (maxvalue)");
                    }
                    values.add(value);
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("changed while it was scanned");
        assertThat(scanned(table.store())).hasSize(25_001).contains("attached");
    }

    @Test
    void theServersTimeOutsAreLiftedForTheScanAlone() throws SQLException {
        fill(25_000);
        List<String> names = List.of(
                "statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout", "lock_timeout");
        try (IdleConnections lent = new IdleConnections(table.url(), connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String name : names) {
                    statement.execute("set " + name + " = 100");
                }
            }
        })) {
            RegisteredIdentifierStore store = table.store(lent);
            List<String> values = new ArrayList<>();
            store.scan(value -> {
                if (values.isEmpty()) {
                    table.query("select pg_sleep(0.3)");
                }
                values.add(value);
            });
            assertThat(values).hasSize(25_000);
            Connection returned = lent.open();
            assertThat(lent.made()).isEqualTo(1);
            for (String name : names) {
                try (Statement statement = returned.createStatement();
                        ResultSet row = statement.executeQuery("show " + name)) {
                    row.next();
                    assertThat(row.getString(1)).as(name).isEqualTo("100ms");
                }
            }
        }
    }

    @Test
    void whereRowSecurityHidesRowsNothingIsScanned() {
        fill(10);
        String url = asRole(
                "grant select on TABLE to ROLE",
                "alter table TABLE enable row level security",
                "create policy low on TABLE using (id < 5)");
        try (IdleConnections limited = new IdleConnections(url)) {
            assertThatThrownBy(() -> scanned(table.store(limited)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContainingAll(table.name(), "row-level security hides rows");
        }
        assertThat(scanned(table.store())).hasSize(10);
    }

    @Test
    void nothingIsLeftOpenAfterAScanThatFailed() {
        fill(ROWS);
        Together store = (Together) table.store();
        assertThatThrownBy(() -> {
                    try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
                        snapshot.parts().get(0).scan(value -> {
                            throw new IllegalStateException("enough");
                        });
                    }
                })
                .hasMessage("enough");
        assertThat(table.query("select count(*) from pg_stat_activity where state like 'idle in transaction%'"
                        + " and pid in (select pid from pg_locks where relation = 'TABLE'::regclass)"))
                .isEqualTo("0");
    }
}

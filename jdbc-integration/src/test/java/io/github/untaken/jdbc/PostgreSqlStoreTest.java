package io.github.untaken.jdbc;

import static io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing.ALONE;
import static io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing.BESIDE_OTHERS;
import static io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.store.IdentifierTables;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Counted;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.WriteSink;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who else writes a table of PostgreSQL, and whether it is still the same. */
class PostgreSqlStoreTest {
    private final TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)");

    /** The server takes its time to end a connection that is closed. */
    @BeforeEach
    void awaitTheEndOfEarlierMarks() {
        Eventually.holds("no mark is left", () -> marks() == 0);
    }

    @AfterEach
    void close() {
        table.close();
    }

    private Exclusive mark() {
        return (Exclusive) table.store();
    }

    private long marks() {
        return Long.parseLong(table.query("select count(*) from pg_locks where locktype = 'advisory'"));
    }

    @Test
    void columnsOfOneProcessHaveTheirMarksOnOneConnection() {
        Exclusive username = mark();
        Exclusive id = (Exclusive) table.store(new IdentifierColumn(table.name(), "id"));
        username.mark();
        id.mark();
        assertThat(username.standing()).isEqualTo(ALONE);
        assertThat(id.standing()).isEqualTo(ALONE);
        assertThat(marks()).isEqualTo(2);
        assertThat(table.query("select count(distinct pid) from pg_locks where locktype = 'advisory'"))
                .isEqualTo("1");
        username.release();
        assertThat(id.standing()).isEqualTo(ALONE);
        id.release();
        assertThat(marks()).isZero();
    }

    @Test
    void aColumnIsTheSameHoweverItIsNamed() {
        try (IdleConnections connections = new IdleConnections(table.url())) {
            Exclusive first = mark();
            Exclusive second = (Exclusive) new IdentifierTables(
                            connections,
                            Database.POSTGRESQL,
                            timeout -> {},
                            room -> {},
                            () -> new WriterMarks(connections, new OpenTransactions(), marked -> Set.of()),
                            new CatalogFacts())
                    .store(new IdentifierColumn("public." + table.name(), "\"username\""));
            first.mark();
            second.mark();
            assertThat(first.standing()).isEqualTo(BESIDE_OTHERS);
            assertThat(second.standing()).isEqualTo(BESIDE_OTHERS);
        }
    }

    /** What it writes is told of that kind alone. */
    @Test
    void aSourceOfTheSameCheckerThatHasTheColumnUnderAnotherKindIsNoStrangerOnlyToItsOwn() {
        RecordingSink checker = new RecordingSink();
        IdentifierTable username = IdentifierTable.of(table.name(), "username");
        IdentifierTable login = IdentifierTable.of(table.name(), "username", new IdentifierKind("login"));
        Exclusive narrow = connected(checker, username);
        Exclusive same = connected(checker, username);
        narrow.mark();
        same.mark();
        assertThat(narrow.standing()).isEqualTo(ALONE);
        Exclusive other = connected(checker, login);
        other.mark();
        assertThat(narrow.standing()).isEqualTo(BESIDE_OTHERS);
        assertThat(other.standing()).isEqualTo(BESIDE_OTHERS);
        other.release();
        same.release();
        Exclusive wide = connected(checker, username, login);
        wide.mark();
        assertThat(narrow.standing()).as("hears all of its kind").isEqualTo(ALONE);
        assertThat(wide.standing()).isEqualTo(BESIDE_OTHERS);
        wide.release();
        narrow.release();
    }

    private Exclusive connected(WriteSink checker, IdentifierTable... tables) {
        return connected(checker, table.dataSource(), tables);
    }

    private static Exclusive connected(WriteSink checker, DataSource dataSource, IdentifierTable... tables) {
        JdbcIdentifiers identifiers = JdbcIdentifiers.of(dataSource, tables);
        identifiers.connect(checker);
        return (Exclusive)
                identifiers.stores().get(tables[tables.length - 1].kind()).get(0);
    }

    @Test
    void aQuestionOfManyKeysIsPlannedOnlyAFewTimes() throws SQLException {
        table.sql("insert into TABLE (username) select 'name' || n from generate_series(1, 1000) n", "analyze TABLE");
        Batched store = (Batched) table.store();
        for (int i = 0; i < 30; i++) {
            assertThat(store.existEach(List.of("name" + i, "name1" + i), Duration.ofSeconds(10)))
                    .containsExactly(Presence.of(i > 0), Presence.COUNTED);
        }
        try (Connection same = table.connections().open();
                Statement statement = same.createStatement();
                ResultSet plans = statement.executeQuery("select generic_plans from pg_prepared_statements"
                        + " where statement like '%untaken_asked%' and custom_plans < 10")) {
            assertThat(plans.next()).isTrue();
            assertThat(plans.getInt(1)).isGreaterThan(10);
        }
        assertThat(table.connections().made()).as("all on one connection").isEqualTo(1);
    }

    /** Another tenant's, for example: the unique index holds its name for all of them. */
    @Test
    void aRowThatASecurityPolicyHidesIsNotAbsent() {
        table.sql(
                "insert into TABLE (username) values ('alice'), ('bob')",
                "create role tenant login",
                "grant select on TABLE to tenant",
                "create policy own on TABLE using (username = 'alice')",
                "alter table TABLE enable row level security");
        try (IdleConnections tenants = new IdleConnections(table.url().replace("user=postgres", "user=tenant"))) {
            RegisteredIdentifierStore store = table.store(tenants);
            assertThatThrownBy(() -> store.exists("bob", Duration.ofSeconds(10)))
                    .isInstanceOf(StoreException.class)
                    .hasStackTraceContaining("row-level security");
            assertThatThrownBy(((Comparing) store)::describe)
                    .as("asked before each scan")
                    .isInstanceOf(StoreException.class)
                    .hasStackTraceContaining("row-level security");
            table.sql("alter role tenant bypassrls");
            assertThat(store.exists("bob", Duration.ofSeconds(10))).isEqualTo(Presence.COUNTED);
        } finally {
            table.sql("drop owned by tenant", "drop role tenant");
        }
    }

    @Test
    void aTerminatedMarkStandsNeverAgainByItself() {
        Exclusive mark = mark();
        mark.mark();
        table.query("select count(pg_terminate_backend(pid, 10000)) from pg_locks where locktype = 'advisory'");
        assertThat(mark.standing()).isEqualTo(UNKNOWN);
        assertThat(mark.standing()).isEqualTo(UNKNOWN);
        mark.mark();
        assertThat(mark.standing()).isEqualTo(ALONE);
    }

    /** Takes back all it has lent, as Druid does with {@code removeAbandoned}: others get the connection, with the mark on it. */
    private static final class TakingBack implements AutoCloseable {
        private final String url;
        private final List<Connection> behind = new ArrayList<>();
        private int times;

        TakingBack(String url) {
            this.url = url;
        }

        DataSource dataSource() {
            return StandIn.of(DataSource.class, (method, arguments) -> lend());
        }

        private Connection lend() throws SQLException {
            Connection connection = DriverManager.getConnection(url);
            behind.add(connection);
            int lent = times;
            return StandIn.of(Connection.class, (method, arguments) -> {
                if (lent < times) {
                    throw new SQLException("the pool has taken it back");
                }
                return method.invoke(connection, arguments);
            });
        }

        void takeBack() {
            times++;
        }

        @Override
        public void close() throws SQLException {
            for (Connection each : behind) {
                each.close();
            }
            behind.clear();
        }
    }

    @Test
    void aMarkOnAConnectionThatThePoolHasTakenBackIsNoOthers() throws SQLException {
        try (TakingBack pool = new TakingBack(table.url());
                Connection another = DriverManager.getConnection(table.url());
                Statement statement = another.createStatement()) {
            Exclusive mark =
                    connected(new RecordingSink(), pool.dataSource(), IdentifierTable.of(table.name(), "username"));
            mark.mark();
            String numbers = table.query("select classid::bigint::bit(32)::int || ', ' || objid::bigint::bit(32)::int"
                    + " from pg_locks where locktype = 'advisory'");
            pool.takeBack();
            assertThat(mark.standing()).isEqualTo(UNKNOWN);
            mark.mark();
            assertThat(marks()).as("the server holds both").isEqualTo(2);
            assertThat(mark.standing()).isEqualTo(ALONE);
            Exclusive stranger = mark();
            stranger.mark();
            assertThat(stranger.standing()).isEqualTo(BESIDE_OTHERS);
            assertThat(mark.standing()).isEqualTo(BESIDE_OTHERS);
            stranger.release();

            statement.execute("select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory'"
                    + " order by (classid::bigint::bit(32)::int || ', ' || objid::bigint::bit(32)::int) <> '"
                    + numbers + "' limit 1");
            assertThat(mark.standing()).as("the old one is gone").isEqualTo(ALONE);
            statement.execute("select pg_advisory_lock(" + numbers + ")");
            assertThat(mark.standing()).as("whoever has it now").isEqualTo(BESIDE_OTHERS);
        }
    }

    @Test
    void aMarkThatCannotBeSetIsAnError() {
        Exclusive mark = mark();
        table.connections().breakDown();
        assertThatThrownBy(mark::mark).isInstanceOf(StoreException.class).hasMessageContaining(table.name());
        assertThat(mark.standing()).isEqualTo(UNKNOWN);
    }

    /** Whoever waits too long is told so as by HikariCP, without a SQLSTATE. */
    private static final class PoolOf implements Connections {
        private final IdleConnections all;
        private final Semaphore free;

        PoolOf(int size, IdleConnections all) {
            this.all = all;
            this.free = new Semaphore(size);
        }

        @Override
        public Connection open() throws SQLException {
            try {
                if (!free.tryAcquire(30, TimeUnit.SECONDS)) {
                    throw new SQLTransientConnectionException("no connection is free");
                }
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
            return all.open();
        }

        @Override
        public void close(Connection connection) {
            all.close(connection);
            free.release();
        }

        void grow() {
            free.release();
        }

        int free() {
            return free.availablePermits();
        }
    }

    @Test
    void theOnlyConnectionOfAPoolIsLeftToTheApplication() {
        try (IdleConnections all = new IdleConnections(table.url())) {
            PoolOf one = new PoolOf(1, all);
            Exclusive mark = (Exclusive) table.store(one);
            assertThatThrownBy(mark::mark)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("at least 2 connections")
                    .hasMessageContaining("singleWriter(false)");
            assertThat(mark.standing()).isEqualTo(UNKNOWN);
            assertThat(marks()).isZero();
            Eventually.holds("the pool has its connection", () -> one.free() == 1);
        }
    }

    /** Each time it is asked the application may wait for it. */
    @Test
    void aPoolThatHadNoneToSpareIsAskedAgainEverLessOften() {
        try (IdleConnections all = new IdleConnections(table.url())) {
            PoolOf one = new PoolOf(1, all);
            AtomicInteger asked = new AtomicInteger();
            Exclusive mark = (Exclusive) table.store(new Connections() {
                @Override
                public Connection open() throws SQLException {
                    asked.incrementAndGet();
                    return one.open();
                }

                @Override
                public void close(Connection connection) {
                    one.close(connection);
                }
            });
            for (int call = 0; call < 40; call++) {
                assertThatThrownBy(mark::mark).hasMessageContaining("at least 2 connections");
            }
            assertThat(asked.get()).as("twice each time").isBetween(4, 8);
            one.grow();
            Eventually.holds("asked again", () -> {
                try {
                    mark.mark();
                    return true;
                } catch (StoreException e) {
                    return false;
                }
            });
            assertThat(mark.standing()).isEqualTo(ALONE);
            assertThat(one.free()).isEqualTo(1);
        }
    }

    @Test
    void aFailureWithoutASqlStateIsAFailureOfTheStore() {
        RegisteredIdentifierStore store = table.store(new Connections() {
            @Override
            public Connection open() throws SQLException {
                throw new SQLTransientConnectionException("no connection is free");
            }

            @Override
            public void close(Connection connection) {}
        });
        List<ThrowingCallable> all = List.of(
                () -> ((Identified) store).present(),
                () -> store.exists("alice", Duration.ofSeconds(10)),
                () -> ((Batched) store).existEach(List.of("alice", "bob"), Duration.ofSeconds(10)),
                () -> store.scan(value -> {}),
                () -> ((Together) store).snapshot(List.of((Together) store), 2),
                () -> ((Comparing) store).describe(),
                () -> ((Comparing) store).heldEqual(List.of(new ValuePair("a", "A"))),
                () -> ((Grouping) store).heldEqualAmong(List.of("a", "A")),
                () -> ((Sampled) store).sample(10),
                () -> ((Counted) store).count(),
                () -> ((Barrier) store).awaitOpenTransactions(Duration.ofSeconds(10)),
                () -> ((Exclusive) store).mark());
        for (ThrowingCallable each : all) {
            assertThatThrownBy(each).isInstanceOf(StoreException.class).hasRootCauseMessage("no connection is free");
        }
    }

    @Test
    void theConnectionOfAMarkGoesBackAsItCame() throws SQLException {
        try (IdleConnections lent = new IdleConnections(table.url(), connection -> {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.setNetworkTimeout(Runnable::run, 12_345);
        })) {
            Exclusive mark = (Exclusive) table.store(lent);
            mark.mark();
            assertThat(table.query("select count(*) from pg_stat_activity where state like 'idle in transaction%'"
                            + " and pid in (select pid from pg_locks where locktype = 'advisory')"))
                    .as("the kept connection stays outside transactions")
                    .isEqualTo("0");
            mark.release();
            Connection returned = lent.open();
            assertThat(lent.made())
                    .as("the mark's, and another that could be had")
                    .isEqualTo(2);
            assertThat(returned.getAutoCommit()).isFalse();
            assertThat(returned.isReadOnly()).isTrue();
            assertThat(returned.getNetworkTimeout()).isEqualTo(12_345);
        }
    }

    /** The cable is cut: nothing comes back, and nothing says so. */
    @Test
    void aReadOfAConnectionThatIsCutFailsAndClosesIt() throws Exception {
        AtomicReference<Connection> lent = new AtomicReference<>();
        try (Network network = new Network(Engine.port());
                IdleConnections pool = new IdleConnections(through(network), lent::set)) {
            RegisteredIdentifierStore store = table.store(pool);
            assertThat(store.exists("alice", Duration.ofMillis(200))).isEqualTo(Presence.ABSENT);
            assertThat(lent.get().getNetworkTimeout()).as("as it came").isZero();
            network.dead(true);
            assertThatThrownBy(() -> store.exists("alice", Duration.ofMillis(200)))
                    .isInstanceOf(StoreException.class);
            assertThat(lent.get().isClosed()).isTrue();
        }
    }

    @Test
    void aMarkOnAConnectionThatIsCutFailsAndClosesIt() throws Exception {
        AtomicReference<Connection> lent = new AtomicReference<>();
        try (Network network = new Network(Engine.port());
                IdleConnections pool = new IdleConnections(through(network), made -> lent.compareAndSet(null, made))) {
            Connection one = pool.open();
            Connection other = pool.open();
            pool.close(other);
            pool.close(one);
            Exclusive mark = (Exclusive) table.store(pool);
            network.dead(true);
            assertThatThrownBy(mark::mark).isInstanceOf(StoreException.class);
            assertThat(one.isClosed() || other.isClosed()).isTrue();
        }
    }

    /** The driver waits ten seconds for a cancellation that nobody hears, unless it is told otherwise. */
    private String through(Network network) {
        String url = table.url().replace(":" + Engine.port(), ":" + network.port());
        return url + (url.contains("?") ? "&" : "?") + "cancelSignalTimeout=1";
    }

    @Test
    void aScanHasANetworkTimeoutToo() throws Exception {
        List<Integer> during = new ArrayList<>();
        try (IdleConnections pool = new IdleConnections(
                table.url(), connection -> connection.setNetworkTimeout(Runnable::run, 3_000_000))) {
            FreshReads reads = new FreshReads(pool, Database.POSTGRESQL);
            during.add(reads.run("a table", Connection::getNetworkTimeout));
            during.add(reads.ask("a table", List.of(), Duration.ofSeconds(1), Connection::getNetworkTimeout));
            Connection back = pool.open();
            during.add(back.getNetworkTimeout());
            pool.close(back);
        }
        assertThat(during).containsExactly(300_000, 2_000, 3_000_000);
    }

    /** The cable is cut: nothing comes back, and nothing says so. */
    @Test
    void aConnectionThatIsCutIsNoSolitudeWithinASecond() throws Exception {
        AtomicReference<Connection> marked = new AtomicReference<>();
        try (Network network = new Network(Engine.port());
                IdleConnections lent = new IdleConnections(
                        table.url().replace(":" + Engine.port(), ":" + network.port()),
                        made -> marked.compareAndSet(null, made))) {
            Exclusive mark = (Exclusive) table.store(lent);
            mark.mark();
            assertThat(mark.standing()).isEqualTo(ALONE);
            // How much later it is told is the machine's affair.
            assertThat(marked.get().getNetworkTimeout()).isBetween(1, 999);
            network.dead(true);
            assertThat(mark.standing()).isEqualTo(UNKNOWN);
            assertThat(marked.get().isClosed()).isTrue();
            assertThat(mark.standing()).as("at once").isEqualTo(UNKNOWN);
            assertThat(lent.made()).isEqualTo(2);
        }
    }

    private DatabaseMark present() {
        return ((Identified) table.store()).present();
    }

    @Test
    void theSameDatabaseGoesOnFromWhereItWas() throws SQLException {
        DatabaseMark before = present();
        try (Connection writer = table.connection()) {
            table.insert(writer, "alice");
        }
        DatabaseMark after = present();
        assertThat(after.identity()).isEqualTo(before.identity());
        assertThat(after.position()).isGreaterThan(before.position());
        assertThat(after.follows(before)).isTrue();
        assertThat(before.follows(after)).as("a restored older state").isFalse();
    }

    @Test
    void theIdentityIsThatOfServerTimelineDatabaseAndTable() {
        String system = table.query("select system_identifier from pg_control_system()");
        String timeline = table.query("select timeline_id from pg_control_checkpoint()");
        DatabaseMark before = present();
        assertThat(before.identity()).startsWith(system + "/" + "0".repeat(8 - timeline.length()) + timeline + "/");
        // As a dump does that is loaded over the old table.
        table.sql("drop table TABLE", "create table TABLE (id bigint primary key, username text unique)");
        assertThat(present().follows(before)).isFalse();
    }

    @Test
    void whereTheServerIsNotToldTheDatabaseIs() throws SQLException {
        DatabaseMark full = present();
        table.sql("revoke execute on function pg_control_system() from public", "create role anybody login");
        try (IdleConnections anybody = new IdleConnections(table.url().replace("user=postgres", "user=anybody"))) {
            Identified store = (Identified) table.store(anybody);
            DatabaseMark before = store.present();
            assertThat(before.identity()).contains("/postgres/").isNotEqualTo(full.identity());
            try (Connection writer = table.connection()) {
                table.insert(writer, "alice");
            }
            assertThat(store.present().identity()).isEqualTo(before.identity());
            assertThat(store.present().position()).isGreaterThan(before.position());
        } finally {
            table.sql("grant execute on function pg_control_system() to public", "drop role anybody");
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerHasNoIdentity() {
        Identified store = (Identified) table.store();
        table.connections().breakDown();
        assertThatThrownBy(store::present).isInstanceOf(StoreException.class);
    }
}

package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.WhenUnreachable;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole checker on real sockets, over a network that forgets its connections without a word. */
@Timeout(300)
@Tag("ci")
class SilentNetworkTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** So late nobody is because of a busy machine; without a deadline he would wait for ever. */
    private static final long MUCH_LATER = Duration.ofSeconds(10).toNanos();

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(2);
        config.setConnectionTimeout(1_000);
        config.setValidationTimeout(500);
        return new HikariDataSource(config);
    }

    /** The driver waits ten seconds for a cancellation that nobody hears, unless it is told otherwise. */
    private static String through(SilentProxy proxy, TestTable table) {
        return table.url().replace(":" + Engine.port(), ":" + proxy.port()) + "&cancelSignalTimeout=1";
    }

    private static AvailabilityChecker checker(DataSource pool, TestTable table) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(pool, table.name(), "username"))
                .singleWriter(false) // whose mark would be lost too
                .whenUnreachable(WhenUnreachable.MEMORY)
                .unreachableFor(Duration.ofHours(1))
                .recheckTimeout(TIMEOUT)
                .build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    /** Sooner or later, on a busy machine. */
    private static void assertIsFound(AvailabilityChecker checker) {
        Eventually.holds("it is found", () -> checker.check(USERNAME, "alice").status() == Status.TAKEN);
    }

    private static void assertAllLeaveInTime(AvailabilityChecker checker) {
        for (int i = 0; i < 10; i++) {
            long begun = System.nanoTime();
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.UNKNOWN);
            assertThat(System.nanoTime() - begun).isLessThan(TIMEOUT.toNanos() + MUCH_LATER);
        }
        assertThat(checker.check(USERNAME, "bob").decidedBy())
                .as("memory goes on")
                .isEqualTo(DecidedBy.FILTER);
    }

    private static void assertEndsWithoutAConnection(AvailabilityChecker checker, HikariDataSource pool) {
        checker.close();
        Eventually.holds("all are given back", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    void onPostgreSqlWhoAsksLeavesInTime() throws Exception {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)");
                SilentProxy proxy = new SilentProxy(Engine.port());
                HikariDataSource pool = pool(through(proxy, table))) {
            table.sql("insert into TABLE (username) values ('alice')");
            AvailabilityChecker checker = checker(pool, table);
            assertIsFound(checker);
            proxy.cut();
            assertAllLeaveInTime(checker);
            proxy.mend();
            assertIsFound(checker);
            assertEndsWithoutAConnection(checker, pool);
        }
    }

    /** H2's driver has no network time-out: whoever reads is lost until the connection breaks. */
    @Test
    void onH2WhoAsksLeavesInTimeThoughTheThreadsAreLost() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)");
                SilentProxy proxy = new SilentProxy(server.getPort())) {
            // A pool that trusts what was used within half a second hands out a session of H2 that is closed for as
            // long as somebody asks.
            UrlDataSource connections = new UrlDataSource(
                    table.url().replace("jdbc:h2:mem:", "jdbc:h2:tcp://localhost:" + proxy.port() + "/mem:"));
            table.sql("insert into TABLE (username) values ('alice')");
            AvailabilityChecker checker = checker(connections, table);
            assertIsFound(checker);
            proxy.cut();
            assertAllLeaveInTime(checker);
            Eventually.holds(
                    "the reason says so",
                    () -> checker.stats(USERNAME).reason().contains("store reads do not come back"));
            proxy.mend();
            assertIsFound(checker);
            Eventually.holds(
                    "all are back", () -> checker.stats(USERNAME).reason().isEmpty());
            checker.close();
        } finally {
            server.stop();
        }
    }
}

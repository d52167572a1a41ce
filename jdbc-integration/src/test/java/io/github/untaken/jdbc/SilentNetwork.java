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
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.function.IntFunction;
import javax.sql.DataSource;

/** A whole checker on real sockets, over a network that forgets its connections without a word. */
public final class SilentNetwork {
    static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
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

    private SilentNetwork() {}

    static AvailabilityChecker checker(DataSource pool, String table) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(pool, table, "username"))
                .singleWriter(false) // whose mark would be lost too
                .whenUnreachable(WhenUnreachable.MEMORY)
                .unreachableFor(Duration.ofHours(1))
                .recheckTimeout(TIMEOUT)
                .build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    /** Sooner or later, on a busy machine. */
    static void assertIsFound(AvailabilityChecker checker) {
        Eventually.holds("it is found", () -> checker.check(USERNAME, "alice").status() == Status.TAKEN);
    }

    static void assertAllLeaveInTime(AvailabilityChecker checker) {
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

    /**
     * A checker over a pool whose connections fall silent. Its table has one row, alice.
     *
     * @param through the address of the server by way of that port
     */
    public static void whoAsksLeavesInTime(int server, IntFunction<String> through, String table) {
        try (Network network = new Network(server);
                HikariDataSource pool = pool(through.apply(network.port()))) {
            AvailabilityChecker checker = checker(pool, table);
            assertIsFound(checker);
            network.dead(true);
            assertAllLeaveInTime(checker);
            network.cut();
            network.dead(false);
            assertIsFound(checker);
            assertEndsWithoutAConnection(checker, pool);
        }
    }
}

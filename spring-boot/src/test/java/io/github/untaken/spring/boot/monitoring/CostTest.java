package io.github.untaken.spring.boot.monitoring;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.KindState;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Prints what a check costs with and without metrics, and what the starter adds to a start. */
@Tag("nightly")
class CostTest {
    private static final int CHECKS = Integer.getInteger("cost.checks", 5_000_000);
    private static final int ROWS = Integer.getInteger("cost.rows", 1_000_000);
    private static final int ROUNDS = 5;
    /** Starts of a JVM that has just begun are of no use: each is quicker than the one before. */
    private static final int STARTS_BEFORE = 10;

    private static final int STARTS = 15;

    private static AvailabilityChecker checker(AvailabilityCheckerBuilder builder) {
        AvailabilityChecker checker =
                builder.store(USERNAME, new InMemoryIdentifierStore()).build();
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    private static double nanosOfACheck(AvailabilityChecker checker) {
        int free = 0;
        long begun = System.nanoTime();
        for (int i = 0; i < CHECKS; i++) {
            free += checker.check(USERNAME, "somebody").available() ? 1 : 0;
        }
        double nanos = (double) (System.nanoTime() - begun) / CHECKS;
        assertThat(free).isEqualTo(CHECKS);
        return nanos;
    }

    /** Turn by turn, the best of each: whatever else the machine does makes both slower. */
    @Test
    void aCheckWithAndWithoutMetrics() {
        double without = Double.MAX_VALUE;
        double with = Double.MAX_VALUE;
        CheckMetrics metrics = new CheckMetrics(new SimpleMeterRegistry());
        try (AvailabilityChecker plain = checker(AvailabilityChecker.builder());
                AvailabilityChecker counted =
                        checker(AvailabilityChecker.builder().listener(metrics))) {
            for (int round = 0; round < 2 * ROUNDS; round++) {
                without = Math.min(without, nanosOfACheck(plain));
                with = Math.min(with, nanosOfACheck(counted));
            }
        }
        System.out.printf(
                "cost of a check from memory: %.0f ns, with metrics %.0f ns (best of %d rounds of %,d)%n",
                without, with, 2 * ROUNDS, CHECKS);
    }

    private static long millisOfAStart(String url, String... more) {
        String[] properties = Arrays.copyOf(more, more.length + 2);
        properties[more.length] = "--spring.datasource.url=" + url;
        properties[more.length + 1] = "--spring.jpa.hibernate.ddl-auto=none";
        long begun = System.nanoTime();
        try (var context = new SpringApplicationBuilder(SignUpApplication.class)
                .web(WebApplicationType.NONE)
                .run(properties)) {
            return (System.nanoTime() - begun) / 1_000_000;
        }
    }

    private static void printStarts(int rows) throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        database.setUser("sa");
        database.setPassword("");
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create sequence account_seq start with 1 increment by 50");
            statement.execute("create table account (id bigint primary key, username varchar(64) unique)");
            statement.execute("insert into account select x, 'name' || x from system_range(1, " + rows + ")");
        }
        for (int i = 0; i < STARTS_BEFORE; i++) {
            millisOfAStart(url);
        }
        long[][] millis = new long[3][STARTS];
        for (int round = 0; round < STARTS; round++) {
            millis[0][round] = millisOfAStart(url, "--untaken.enabled=false");
            millis[1][round] = millisOfAStart(url);
            millis[2][round] = millisOfAStart(url, "--untaken.await-ready=2m");
        }
        for (long[] each : millis) {
            Arrays.sort(each);
        }
        System.out.printf(
                "start with %,d rows: %d ms without, %d ms with the starter, %d ms until ready (median of %d)%n",
                rows, millis[0][STARTS / 2], millis[1][STARTS / 2], millis[2][STARTS / 2], STARTS);
    }

    @Test
    void aStartWithAndWithoutTheStarter() throws Exception {
        printStarts(0);
        printStarts(ROWS);
    }
}

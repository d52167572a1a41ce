package io.github.untaken.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * What names cost that stand in a column as they were typed, where it compares exactly: the growth of the heap, beside that of the same
 * names as keys, and how many free names memory still answers. The database is a server of its own, so that the heap is the checker's.
 */
public final class DisplayNames {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final int ASKED = 1_000_000;

    private DisplayNames() {}

    /**
     * Prints the table.
     *
     * @param arguments the number of rows (default 1000000)
     */
    public static void main(String[] arguments) throws Exception {
        int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().start();
                HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
            System.out.printf("postgresql, %d rows, Java %s%n", rows, System.getProperty("java.version"));
            System.out.printf(
                    "%-8s %10s %14s %14s %14s %14s%n",
                    "", "odd", "heap B/name", "stats B/name", "free, memory", "taken, reads");
            measure("user", 10_000, database, false); // loads the classes
            measure("user", rows, database, true);
            measure("User", rows, database, true);
        }
    }

    private static void measure(String spelling, int rows, DataSource database, boolean prints) throws SQLException {
        execute(
                database,
                "drop table if exists people",
                "create table people (id bigint primary key, username varchar(40) unique)",
                "insert into people select x, '" + spelling + "' || x from generate_series(1, " + rows + ") n(x)",
                "analyze people");
        long before = used();
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(database, "people", "username"))
                .singleWriter(false)
                .recheckTimeout(Duration.ofMinutes(1)) // nothing is timed
                .build()) {
            while (checker.state(USERNAME) != KindState.READY) {
                Thread.onSpinWait();
            }
            long heap = used() - before;
            int fromMemory = 0;
            for (int i = 0; i < ASKED; i++) {
                Verdict verdict = checker.check(USERNAME, "Nobody" + i);
                if (!verdict.available()) {
                    throw new IllegalStateException("a free name was answered " + verdict);
                }
                fromMemory += verdict.decidedBy() == Verdict.DecidedBy.FILTER ? 1 : 0;
            }
            KindStats stats = checker.stats(USERNAME);
            long reads = stats.reads().made();
            int asked = Math.min(rows, 10_000);
            for (int i = 1; i <= asked; i++) {
                if (checker.check(USERNAME, "user" + i).available()) {
                    throw new IllegalStateException("a taken name was answered available");
                }
            }
            if (prints) {
                System.out.printf(
                        "%-8s %10d %14.1f %14.1f %13.3f%% %13.1f%%%n",
                        spelling,
                        stats.memory().variants(),
                        (double) heap / rows,
                        (double) stats.memory().bytes() / rows,
                        100.0 * fromMemory / ASKED,
                        100.0 * (checker.stats(USERNAME).reads().made() - reads) / asked);
            }
        }
    }

    private static void execute(DataSource database, String... statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

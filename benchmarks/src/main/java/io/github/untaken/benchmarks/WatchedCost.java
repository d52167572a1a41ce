package io.github.untaken.benchmarks;

import io.github.untaken.Announcement;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a watched data source costs: one name is written, by a statement that is prepared, bound, executed and closed, over a pool and
 * over the same pool watched, in turns, by transactions of a hundred. A checker hears of each. A read of one row is timed, too, which
 * concerns nobody. Beside it each name is announced by hand, before the statement and after the commit, which is what a watch saves an
 * application. Prints the median of all rounds, and what each adds.
 */
public final class WatchedCost {
    private static final int ROWS = 1_000_000;
    private static final int TRANSACTION = 100;
    private static final String WRITE = "update Person set username = ? where id = ?";
    private static final String READ = "select username from Person where note <> ? and id = ?";

    private final AvailabilityChecker checker;
    private int number;

    private WatchedCost(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /**
     * Prints the table.
     *
     * @param arguments {@code h2}, {@code postgresql} or {@code mariadb}, the number of statements in a round (default 5000) and of rounds (default 31)
     */
    public static void main(String[] arguments) throws Exception {
        String engine = arguments.length > 0 ? arguments[0] : "h2";
        int statements = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5_000;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 31;
        try (PeopleDatabase people = PeopleDatabase.of(engine, ROWS)) {
            DataSource pool = people.pool();
            JdbcIdentifiers identifiers =
                    JdbcIdentifiers.of(pool, IdentifierTable.of("Person", "username", IdentifierKind.USERNAME));
            DataSource watched = WatchedDataSource.of(pool, identifiers);
            try (AvailabilityChecker checker =
                    AvailabilityChecker.builder().source(identifiers).build()) {
                while (checker.state(IdentifierKind.USERNAME) != KindState.READY) {
                    Thread.onSpinWait();
                }
                new WatchedCost(checker).measure(engine, pool, watched, statements, rounds);
            }
        }
    }

    private void measure(String engine, DataSource pool, DataSource watched, int statements, int rounds)
            throws SQLException {
        for (String sql : new String[] {WRITE, READ}) {
            double[] bare = new double[rounds];
            double[] seen = new double[rounds];
            double[] told = new double[rounds];
            for (int round = -5; round < rounds; round++) { // the first ones warm up
                double first = nanos(pool, sql, statements, false);
                double second = nanos(watched, sql, statements, false);
                double third = nanos(pool, sql, statements, sql.equals(WRITE));
                if (round >= 0) {
                    bare[round] = first;
                    seen[round] = second;
                    told[round] = third;
                }
            }
            double before = median(bare);
            double after = median(seen);
            System.out.printf(
                    "%s, %s: %.2f us bare, %.2f us more announced by hand, %.2f us more watched (%.1f %%), median of %d"
                            + " rounds of %d%n",
                    engine,
                    sql.substring(0, 6),
                    before / 1e3,
                    (median(told) - before) / 1e3,
                    (after - before) / 1e3,
                    (after - before) / before * 100,
                    rounds,
                    statements);
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private double nanos(DataSource dataSource, String sql, int statements, boolean byHand) throws SQLException {
        List<Announcement> announced = new ArrayList<>();
        long began = System.nanoTime();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 1; i <= statements; i++) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    String name = "name" + number++;
                    if (byHand) {
                        announced.add(checker.registrations().announce(IdentifierKind.USERNAME, name));
                    }
                    statement.setString(1, name);
                    statement.setLong(2, 1 + i % ROWS);
                    statement.execute();
                }
                if (i % TRANSACTION == 0) {
                    connection.commit();
                    announced.forEach(Announcement::close);
                    announced.clear();
                }
            }
            connection.setAutoCommit(true);
        }
        return (double) (System.nanoTime() - began) / statements;
    }
}

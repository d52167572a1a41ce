package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.ChangeFeed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One process at a time scans: an advisory lock, which ends with its connection. */
final class ScanTurn {
    /** The first half of the lock's number; nobody else uses it, it is hoped. */
    private static final int OURS = 0x756e746b; // "untk"

    private static final long LOOK_MILLIS = 100;

    private ScanTurn() {}

    /** Asks again and again rather than waiting inside one statement, whose snapshot would hold up the database's cleaning. */
    static ChangeFeed.Turn take(Server server, String publication, Duration wait, CountDownLatch disconnected) {
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            Connection connection = server.plain(Duration.ofSeconds(5));
            try {
                boolean over = false;
                while (!over && !isTaken(connection, publication)) {
                    over = disconnected.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0;
                }
            } catch (SQLException | RuntimeException | InterruptedException e) {
                Server.abort(connection);
                throw e;
            }
            return () -> Server.abort(connection);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            // a courtesy only: whoever cannot ask goes ahead
        }
        return () -> {};
    }

    private static boolean isTaken(Connection connection, String publication) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select pg_try_advisory_lock(?, ?)")) {
            statement.setInt(1, OURS);
            statement.setInt(2, publication.hashCode());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }
}

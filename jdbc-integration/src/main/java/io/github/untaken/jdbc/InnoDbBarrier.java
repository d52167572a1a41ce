package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * On MariaDB and MySQL each transaction that had written anything must be gone from InnoDB's list, where it stands until
 * its end is visible; a prepared one of XA does, too. Which table somebody has written is not told, so everybody who has
 * written is waited for. No lock is taken.
 *
 * <p>The list is a copy that InnoDB makes anew only if nobody has read it for 100 ms, and that it does not date. An older
 * one may lack the very transaction that must be waited for. So each look has a number in its text and a transaction of
 * its own: a copy that shows this transaction with this text was made while the look was under way.
 */
final class InnoDbBarrier implements DatabaseBarrier {
    private static final String WHAT = "the transactions of the database";
    private static final int NO_RIGHT = 1227;

    /** How many of them a message names. */
    private static final int MOST = 5;

    private final AtomicBoolean told = new AtomicBoolean();

    @Override
    public void await(IdentifierColumn column, FreshReads reads, Duration timeout) {
        Map<String, String> open = new HashMap<>();
        boolean[] seen = new boolean[1];
        Polling.awaitEach(() -> seen[0] ? message(open) : NEVER_FRESH, timeout, InnoDbBarrier::interval, () -> {
            Look look = reads.fromPrimary(WHAT, this::look);
            if (look.fresh() && !seen[0]) {
                seen[0] = true;
                open.putAll(look.writing());
            } else if (look.fresh()) {
                open.keySet().retainAll(look.writing().keySet());
            }
            return seen[0] && open.isEmpty();
        });
    }

    private static final String NEVER_FRESH =
            "somebody reads information_schema.innodb_trx ten times a second, so that it is never up to date: transactions that"
                    + " may have written before the scan";

    /**
     * What one look has shown.
     *
     * @param fresh whether it can be believed
     * @param writing who has written, by the number of the transaction
     */
    private record Look(boolean fresh, Map<String, String> writing) {}

    /** Longer than the copy is kept, and never in step with somebody else who looks. */
    private static long interval() {
        return ThreadLocalRandom.current().nextLong(120, 350);
    }

    private Look look(Connection connection) throws SQLException {
        long number = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        Map<String, String> writing = new HashMap<>();
        boolean fresh = false;
        try (Statement statement = connection.createStatement()) {
            statement.execute("start transaction with consistent snapshot");
            try (ResultSet rows = statement.executeQuery("select trx_id, trx_mysql_thread_id, trx_rows_modified > 0,"
                    + " trx_mysql_thread_id = connection_id() and trx_query like '%" + number
                    + "%' from information_schema.innodb_trx")) {
                while (rows.next()) {
                    fresh |= rows.getBoolean(4);
                    if (rows.getBoolean(3)) {
                        long by = rows.getLong(2);
                        writing.put(rows.getString(1), by == 0 ? "a prepared XA transaction" : "connection " + by);
                    }
                }
            }
            return new Look(fresh, writing);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_RIGHT) {
                tellOnce(connection);
                return new Look(true, Map.of());
            }
            throw e;
        }
    }

    private void tellOnce(Connection connection) throws SQLException {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select concat('''', replace(current_user(), '@', '''@'''), '''')")) {
            row.next();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The database user may not see the transactions of others: what another program has written but not"
                            + " committed when a scan starts can stay unknown until the next scan. GRANT PROCESS ON *.* TO {0}",
                    row.getString(1));
        }
    }

    private static String message(Map<String, String> open) {
        TreeSet<String> culprits = new TreeSet<>(open.values());
        return "transactions that had written before the scan, of "
                + culprits.stream().limit(MOST).collect(Collectors.joining(", "))
                + (culprits.size() > MOST ? " and others," : ",");
    }
}

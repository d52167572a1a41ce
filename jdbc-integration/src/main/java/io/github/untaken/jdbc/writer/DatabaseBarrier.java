package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Polling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waits until all have ended who had written when the wait began, or held or awaited a lock for writing, other programs included. Proved
 * only by looks that prove themselves, on one server of a known product.
 */
public final class DatabaseBarrier {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jdbc");
    private static final String WHAT = "the transactions of the database";
    private static final Pattern SERVERS = Pattern.compile("//([^/?]*)");

    /** How many of them a message names. */
    private static final int MOST = 5;

    private final Writers writers;
    private final AtomicBoolean told = new AtomicBoolean();

    DatabaseBarrier(Writers writers) {
        this.writers = writers;
    }

    public static DatabaseBarrier of(Database database) {
        return new DatabaseBarrier(
                switch (database) {
                    case H2 -> new H2Writers();
                    case POSTGRESQL -> new PostgreSqlWriters();
                    case MYSQL -> new InnoDbWriters();
                    default ->
                        (column, connection) ->
                                Writers.Look.missing("There is no way to see the open transactions of this database");
                });
    }

    /**
     * Waits for the transactions that are open now.
     *
     * @return whether it is proved that all have ended; false, at once, where nobody can tell
     * @throws io.github.untaken.spi.StoreException if some are still open after the timeout
     */
    public boolean await(IdentifierColumn column, FreshReads reads, Duration timeout) {
        Wait wait = new Wait(column);
        Polling.awaitEach(
                wait::message,
                timeout,
                writers.intervals(),
                () -> wait.isOverAfter(reads.fromPrimary(WHAT, connection -> look(column, connection))));
        if (wait.missing != null) {
            tellOnce(wait.missing);
        }
        return wait.missing == null;
    }

    private Writers.Look look(IdentifierColumn column, Connection connection) throws SQLException {
        return leadsToOneServer(connection.getMetaData().getURL())
                ? writers.look(column, connection)
                : Writers.Look.missing(
                        "The address of the database names several servers, and one of them does not show what"
                                + " is open on another: name one");
    }

    /** False if the scan could see another server than the one that was written. */
    static boolean leadsToOneServer(@Nullable String url) {
        if (url == null || url.contains("+srv:")) {
            return false;
        }
        Matcher servers = SERVERS.matcher(url);
        return !servers.find() || servers.group(1).indexOf(',') < 0;
    }

    private void tellOnce(String missing) {
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    missing
                            + ". So no scan can wait for open transactions: what another program has written but"
                            + " not committed when a scan starts can stay unknown until the next one. If nothing"
                            + " can be done and other programs write, shorten rescanInterval.");
        }
    }

    /** One wait, starting with the first look that proved itself. */
    private final class Wait {
        private final IdentifierColumn column;
        private final Map<String, String> open = new HashMap<>();
        private boolean begun;
        private @Nullable String missing;

        private Wait(IdentifierColumn column) {
            this.column = column;
        }

        boolean isOverAfter(Writers.Look look) {
            missing = look.missing();
            if (look.fresh() && !begun) {
                begun = true;
                open.putAll(look.open());
            } else if (look.fresh()) {
                open.keySet().retainAll(look.there());
            }
            return missing != null || begun && open.isEmpty();
        }

        String message() {
            TreeSet<String> culprits = new TreeSet<>(open.values());
            return begun
                    ? "transactions that wrote " + column.table() + " before the scan, or waited to ("
                            + culprits.stream().limit(MOST).collect(Collectors.joining(", "))
                            + (culprits.size() > MOST ? " and others)" : ")")
                    : "transactions that may have written " + column.table() + " before the scan ("
                            + writers.whyNotFresh() + ")";
        }
    }
}

package io.github.untaken.sample.database;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * Accounts inserted as another program would: by plain JDBC, in one transaction, and nobody is told. It remembers the names
 * of the last import, to count how many of them memory would still call free: that is what such writes cost until the
 * registry notices. Thread-safe; one import at a time.
 */
public final class SilentImport {
    private static final int BATCH = 1_000;
    private static final long NAMESPACES = 36L * 36 * 36 * 36 * 36 * 36;

    private final DataSource source;
    private final int accounts;
    private final Map<DecidedBy, Long> looks = new EnumMap<>(DecidedBy.class); // guarded by this
    private String committed = ""; // guarded by this
    private boolean allKnown = true; // guarded by this
    private int unknown; // guarded by this
    private volatile int inserted;
    private volatile boolean cancelled;

    /** Somebody asked to stop; nothing was inserted. */
    public static final class CancelledException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    public SilentImport(DataSource source, int accounts) {
        this.source = source;
        this.accounts = accounts;
    }

    /** Inserts them all, or none. */
    public void run() throws SQLException, CancelledException {
        String namespace =
                Long.toString(NAMESPACES + ThreadLocalRandom.current().nextLong(NAMESPACES), 36);
        inserted = 0;
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, namespace);
                connection.commit();
            } catch (SQLException | CancelledException e) {
                connection.rollback();
                throw e;
            }
        }
        synchronized (this) {
            committed = namespace;
            allKnown = false;
        }
    }

    private void insert(Connection connection, String namespace) throws SQLException, CancelledException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into account (username, display_name, created,"
                        + " version) values (?, ?, current_timestamp, 0)")) {
            for (int i = 0; i < accounts; i++) {
                insert.setString(1, name(namespace, i));
                insert.setString(2, name(namespace, i));
                insert.addBatch();
                if ((i + 1) % BATCH == 0 || i + 1 == accounts) {
                    if (cancelled) {
                        throw new CancelledException();
                    }
                    insert.executeBatch();
                    inserted = i + 1;
                }
            }
        }
    }

    private static String name(String namespace, int index) {
        return String.format(Locale.ROOT, "import.%s.%05d", namespace, index);
    }

    public int accounts() {
        return accounts;
    }

    /** How many of the import under way stand in its transaction. */
    public int inserted() {
        return inserted;
    }

    /** A name of the last import; empty before the first. */
    public synchronized String example() {
        return committed.isEmpty() ? "" : name(committed, 0);
    }

    /**
     * Asks memory for each name of the last import, until it has known them all once. These are no checks of anybody;
     * {@link #looks} tells how many there were.
     */
    public synchronized void look(AvailabilityChecker checker) {
        if (allKnown) {
            return;
        }
        int free = 0;
        for (int i = 0; i < accounts && ready(checker); i++) {
            Verdict verdict = checker.checkInMemory(IdentifierKind.USERNAME, name(committed, i));
            looks.merge(verdict.decidedBy(), 1L, Long::sum);
            free += verdict.available() ? 1 : 0;
        }
        boolean ready = ready(checker); // else the database answers, and calls none of them free
        unknown = ready ? free : 0;
        allKnown = ready && free == 0;
    }

    private static boolean ready(AvailabilityChecker checker) {
        return checker.state(IdentifierKind.USERNAME) == KindState.READY;
    }

    /** How many names of the last import memory called free when it was last asked. */
    public synchronized int unknown() {
        return unknown;
    }

    /** What {@link #look} has added to the counts of the checker, for user names. */
    public synchronized long looks(DecidedBy by) {
        return looks.getOrDefault(by, 0L);
    }

    /** Rolls back the one under way and every later one. */
    public void close() {
        cancelled = true;
    }
}

package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one data source as the last look showed them. Changes between two looks are counted by table, however far apart they are: a
 * pause, a lost connection or a restart in between makes no difference. Thread-safe.
 */
public final class WatchedCatalog implements TableCatalog {
    private final Looks looking;
    private final LookConnection connection;
    private final CatalogFacts facts;
    private final Set<String> tables = new LinkedHashSet<>(); // guarded by this, as all below
    private final Map<String, List<Runnable>> changed = new HashMap<>(); // by table, whom to tell
    private final Map<String, Integer> changes = new HashMap<>();
    private @Nullable Fingerprint last;
    private long looks; // how many were sent
    private long number; // of the last one that counts

    private WatchedCatalog(Looks looking, LookConnection connection, CatalogFacts facts) {
        this.looking = looking;
        this.connection = connection;
        this.facts = facts;
    }

    /**
     * Does not ask the database yet.
     *
     * @param facts told of each look
     */
    public static WatchedCatalog of(
            Database database, TableName.Finder names, LookConnection connection, CatalogFacts facts) {
        Looks looking = switch (database) {
            case POSTGRESQL -> new PostgreSqlLooks();
            case MYSQL -> new MySqlLooks(names);
            case H2 -> new H2Looks(names);
            default -> new StandardLooks(names);
        };
        return new WatchedCatalog(looking, connection, facts);
    }

    /**
     * Watches a table from the next look on.
     *
     * @param table spelled and quoted as SQL wants it
     * @param onChange called for each look that shows the table changed since the look before. Must not block
     */
    public synchronized void add(String table, Runnable onChange) {
        tables.add(table);
        changed.computeIfAbsent(table, any -> new ArrayList<>()).add(onChange);
    }

    /** Nobody waits for a look that hangs: another look goes over another connection. */
    @Override
    public Look look() {
        List<String> asked;
        long sent;
        synchronized (this) {
            asked = List.copyOf(tables);
            sent = ++looks;
        }
        Fingerprint seen;
        try {
            seen = connection.with(over -> looking.look(asked, over));
        } catch (SQLException e) {
            throw new StoreException("the catalog could not be looked at (SQLSTATE " + e.getSQLState() + ')', e);
        }
        return learned(sent, seen);
    }

    /** A look that was sent later and is already back has shown more. */
    private synchronized Look learned(long sent, Fingerprint now) {
        if (sent > number) {
            Fingerprint before = last;
            facts.learn(SeenFacts.of(now, facts.made()));
            if (before != null) {
                now.changedSince(before, facts.written()::mayHave).forEach(this::note);
            }
            last = now;
            number = sent;
        }
        Map<String, String> said = new HashMap<>();
        tables.forEach(table -> said.put(table, String.valueOf(changes.getOrDefault(table, 0))));
        return new Look(number, Map.copyOf(said));
    }

    private void note(String table) {
        changes.merge(table, 1, Integer::sum);
        changed.getOrDefault(table, List.of()).forEach(Runnable::run);
    }

    /**
     * Whether other processes are connected now, if the database tells without a mark. Blocks.
     *
     * @throws StoreException if it cannot be asked
     */
    public Standing standing() {
        try {
            return connection.with(looking::standing);
        } catch (SQLException e) {
            throw new StoreException("the sessions could not be looked at (SQLSTATE " + e.getSQLState() + ')', e);
        }
    }

    @Override
    public void onDefinition(Runnable wanted) {
        facts.onDefinition(() -> {
            looking.defined();
            wanted.run();
        });
    }

    @Override
    public void release() {
        connection.release();
    }

    @Override
    public synchronized String toString() {
        return String.join(", ", tables);
    }
}

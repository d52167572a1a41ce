package io.github.untaken.jdbc;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.CatalogTable;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.TableWarnings;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.NetworkTimeout;
import io.github.untaken.jdbc.connection.ReadFailure;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.store.IdentifierTables;
import io.github.untaken.jdbc.watch.DatabaseAddress;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.jdbc.watch.Watch;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The identifiers in the tables of one database, for applications without JPA. {@code
 * AvailabilityChecker.builder().source(JdbcIdentifiers.table(dataSource, "users", "username")).build()} is the whole setup.
 *
 * <p>It reads the tables, and hears of writes over a {@link WatchedDataSource}. Announce other writes with {@code checker.registrations()};
 * the next rescan finds what nobody announces.
 *
 * <p>Nothing here asks the database before {@link #stores} is called, which building a checker does to find the columns in the catalog.
 * Thread-safe. One checker at a time can be connected; connecting a second one throws {@code IllegalStateException}.
 */
public final class JdbcIdentifiers implements IdentifierSource {
    private final Connections connections;
    private final List<IdentifierTable> tables;
    private final OpenTransactions open = new OpenTransactions();
    private final CatalogFacts facts = new CatalogFacts();
    private @Nullable Map<IdentifierKind, List<RegisteredIdentifierStore>> stores; // guarded by this, as is all below
    private final List<Watch> watches = new ArrayList<>();
    /** The tables under their catalog names, as far as known. */
    private final Set<String> read = new HashSet<>();

    private volatile @Nullable DatabaseAddress address;

    private JdbcIdentifiers(DataSource dataSource, List<IdentifierTable> tables) {
        this.connections = new PooledConnections(dataSource, open);
        this.tables = tables;
    }

    /**
     * The identifiers of one column, of the kind that {@link IdentifierTable#of(String, String)} derives from its name: a column {@code
     * username} holds the kind {@code username}. One called {@code user_name} does not: see {@link IdentifierTable#of(String, String,
     * IdentifierKind)}.
     *
     * @param dataSource as in {@link #of}
     * @param table as {@link IdentifierTable} reads it
     * @param column as {@link IdentifierTable} reads it
     */
    public static JdbcIdentifiers table(DataSource dataSource, String table, String column) {
        return of(dataSource, IdentifierTable.of(table, column));
    }

    /**
     * The identifiers of several columns. Columns of one kind form one set: a name is taken if any of them holds it.
     *
     * @param dataSource leads to the primary and joins no transaction: the pool itself, not Spring's {@code
     *     TransactionAwareDataSourceProxy}. The checker does not close it
     * @throws IllegalArgumentException if there is no table
     */
    public static JdbcIdentifiers of(DataSource dataSource, IdentifierTable... tables) {
        return of(dataSource, List.of(tables));
    }

    /** As {@link #of(DataSource, IdentifierTable...)}. */
    public static JdbcIdentifiers of(DataSource dataSource, List<IdentifierTable> tables) {
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one table with identifiers");
        }
        return new JdbcIdentifiers(dataSource, List.copyOf(tables));
    }

    /**
     * Reads the catalog on the first call; blocks until the database has answered. Logs triggers, views and foreign keys that may write a
     * column unannounced.
     *
     * @throws IllegalStateException if the catalog has no such table or column, or the column holds no text; the message says which, and
     *     what to do
     * @throws io.github.untaken.spi.StoreException if the database cannot be asked
     */
    @Override
    public synchronized Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> known = stores;
        if (known == null) {
            known = onOwnThread();
            stores = known;
            watches.forEach(watch -> watch.reads(read)); // nothing has been read yet
            watches.forEach(watch -> watch.readsFrom(address));
        }
        return known;
    }

    /** The caller may be in a managed transaction. Its manager would enlist the connection, and this would read inside it. */
    private Map<IdentifierKind, List<RegisteredIdentifierStore>> onOwnThread() {
        CompletableFuture<Map<IdentifierKind, List<RegisteredIdentifierStore>>> read =
                CompletableFuture.supplyAsync(this::readCatalog, task -> {
                    Thread reading = new Thread(task, "untaken-catalog");
                    reading.setDaemon(true);
                    reading.start();
                });
        try {
            return read.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException refusal ? refusal : e;
        }
    }

    private Map<IdentifierKind, List<RegisteredIdentifierStore>> readCatalog() {
        try {
            Connection connection = connections.open();
            NetworkTimeout timeout = null;
            try {
                timeout = NetworkTimeout.on(connection, FreshReads.MOST_SILENCE);
                address = DatabaseAddress.of(connection);
                Database database = Database.named(connection.getMetaData().getDatabaseProductName());
                Map<IdentifierColumn, Set<IdentifierKind>> kinds = new HashMap<>();
                WriterMarks marks =
                        new WriterMarks(connections, open, kinds::get); // two would take each other for two processes
                IdentifierTables stores = new IdentifierTables(
                        connections, database, open::awaitUnheard, open::cutsAt, () -> marks, facts);
                Map<IdentifierKind, List<RegisteredIdentifierStore>> found = new LinkedHashMap<>();
                for (IdentifierTable table : tables) {
                    IdentifierColumn column = CatalogTable.column(table, connection);
                    TableWarnings.tell(column, connection);
                    read.add(column.table());
                    kinds.computeIfAbsent(column, c -> new HashSet<>()).add(table.kind());
                    RegisteredIdentifierStore store = stores.store(column);
                    found.merge(table.kind(), List.of(store), JdbcIdentifiers::both);
                }
                return Map.copyOf(found);
            } finally {
                if (timeout != null) {
                    timeout.putBack();
                }
                connections.close(connection);
            }
        } catch (SQLException e) {
            throw ReadFailure.of(
                    "the catalog could not be read for " + tables + " (SQLSTATE " + e.getSQLState() + ')',
                    List.of(),
                    e);
        }
    }

    private static <T> List<T> both(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    @Override
    public void connect(WriteSink sink) {
        open.connect(sink);
    }

    @Override
    public void disconnect() {
        open.disconnect();
    }

    /** For a data source whose writes are to be heard. Goes by the names the application gave, before any is looked up. */
    synchronized Watch watch() {
        Watch watch = new Watch(columns(), open, facts);
        if (stores != null) {
            watch.reads(read);
            watch.readsFrom(address);
        }
        watches.add(watch);
        return watch;
    }

    private Map<IdentifierKind, Set<IdentifierColumn>> columns() {
        Map<IdentifierKind, Set<IdentifierColumn>> columns = new HashMap<>();
        for (IdentifierTable table : tables) {
            columns.computeIfAbsent(table.kind(), kind -> new HashSet<>())
                    .add(new IdentifierColumn(table.table(), table.column()));
        }
        return columns;
    }

    /** For messages and logs. */
    @Override
    public String toString() {
        return tables.toString();
    }

    private record PooledConnections(DataSource pool, OpenTransactions writes) implements Connections {
        @Override
        public Connection open() throws SQLException {
            writes.lent().look(); // the checker reads at each audit, and at each check that memory does not answer
            return pool.getConnection();
        }

        @Override
        public void close(Connection connection) throws SQLException {
            connection.close();
        }
    }
}

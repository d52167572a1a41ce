package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.catalog.KeptConnection;
import io.github.untaken.jdbc.catalog.TableName;
import io.github.untaken.jdbc.catalog.WatchedCatalog;
import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.StandardComparison;
import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Makes stores for the columns of one database, each with all abilities that this database allows. Thread-safe, as are the stores. */
public final class IdentifierTables {
    private static final String ROOM = "select character_maximum_length from information_schema.columns"
            + " where table_schema = ? and table_name = ? and column_name = ?";

    private final FreshReads reads;
    private final DatabaseBarrier barrier;
    private final Consumer<Duration> ownTransactions;
    private final IntConsumer cutsAt;
    private final Supplier<WriterMarks> marks;
    private final WatchedCatalog catalog;

    /**
     * Does not ask the database.
     *
     * @param connections to the primary
     * @param database decides what SQL is sent, and what the stores can do
     * @param ownTransactions waits, up to the given time, for this application's transactions that no checker was told of
     * @param cutsAt told before each scan how many characters a column has room for, if the database may truncate what is longer
     * @param marks asked for only if the database can hold marks, or processes have them outside it
     * @param facts told of each look at the catalog
     */
    @SuppressWarnings("exports") // only untaken-jpa makes one outside this module, and it sees that package
    public IdentifierTables(
            Connections connections,
            Database database,
            Consumer<Duration> ownTransactions,
            IntConsumer cutsAt,
            Supplier<WriterMarks> marks,
            CatalogFacts facts) {
        this.reads = new FreshReads(connections, database);
        this.barrier = DatabaseBarrier.of(database);
        this.ownTransactions = ownTransactions;
        this.cutsAt = cutsAt;
        this.marks = marks;
        this.catalog = WatchedCatalog.of(database, IdentifierTables::named, new KeptConnection(connections), facts);
    }

    private static TableName named(String table, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(new IdentifierColumn(table, "any"), connection);
        return new TableName(name.catalog(), name.schema(), name.table());
    }

    /**
     * A store that reads one column. Making it does not ask the database; each of its reads blocks, and throws a {@code StoreException} if
     * the database fails.
     */
    public RegisteredIdentifierStore store(IdentifierColumn column) {
        Consumer<Duration> own = timeout -> {
            learnRoom(column);
            ownTransactions.accept(timeout);
        };
        TableIdentifierStore store = made(column, own);
        catalog.add(column.table(), store::changed);
        return store;
    }

    private TableIdentifierStore made(IdentifierColumn column, Consumer<Duration> own) {
        return switch (reads.database()) {
            case POSTGRESQL -> new PostgreSqlStore(column, reads, catalog, own, barrier, marks.get());
            case MYSQL -> new MySqlStore(column, reads, catalog, own, barrier, marks.get());
            case H2 -> new H2Store(column, reads, catalog, own, barrier, marks.get());
            default ->
                new TableIdentifierStore(
                        column, reads, catalog, own, barrier, new StandardComparison(column, reads.database()));
        };
    }

    /** MySQL truncates a value in a session that is not strict; H2 and PostgreSQL refuse it. */
    private void learnRoom(IdentifierColumn column) {
        if (reads.database() == Database.MYSQL) {
            cutsAt.accept(
                    reads.run(column.toString(), connection -> room(CatalogName.of(column, connection), connection)));
        }
    }

    private static int room(CatalogName name, Connection connection) throws SQLException {
        boolean schemas = connection.getMetaData().supportsSchemasInTableDefinitions();
        try (PreparedStatement statement = connection.prepareStatement(ROOM)) {
            statement.setString(1, schemas ? name.schema() : name.catalog());
            statement.setString(2, name.table());
            statement.setString(3, name.column());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("the catalog has no column " + name.table() + '.' + name.column(), "42S22");
                }
                return (int) Math.min(row.getLong(1), Integer.MAX_VALUE);
            }
        }
    }
}

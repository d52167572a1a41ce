package io.github.untaken.jdbc.store;

import io.github.untaken.jdbc.catalog.WatchedCatalog;
import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.H2Comparison;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.writer.DatabaseBarrier;
import io.github.untaken.jdbc.writer.MarkedWriter;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A table of H2. A process that opened the database itself is alone with it as long as nobody is connected through a server that it runs:
 * the connection itself marks whoever is. A process connected through a server cannot tell who else is. Several checkers of one process,
 * such as those of contexts kept for later tests, share its database and know of one another here.
 */
final class H2Store extends BatchTableStore implements RegisteredIdentifierStore.Exclusive {
    private static final Map<H2Store, Mark> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    private final WatchedCatalog looks;
    private final WriterMarks marks;

    H2Store(
            IdentifierColumn column,
            FreshReads reads,
            WatchedCatalog looks,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        super(column, reads, looks, ownTransactions, barrier, new H2Comparison(column));
        this.looks = looks;
        this.marks = marks;
    }

    private record Mark(String database, CatalogName column, MarkedWriter writer) {

        boolean isOfAnother(Mark seen) {
            return seen.database.equals(database)
                    && seen.column.equals(column)
                    && !seen.writer.equals(writer)
                    && !seen.writer.tellsAllTo(writer);
        }
    }

    @Override
    public Standing standing() {
        Mark own = OF_THIS_PROCESS.get(this);
        if (own == null) {
            return Standing.UNKNOWN;
        }
        Standing seen = looks.standing();
        return seen == Standing.ALONE && OF_THIS_PROCESS.values().stream().anyMatch(own::isOfAnother)
                ? Standing.BESIDE_OTHERS
                : seen;
    }

    @Override
    public void mark() {
        if (!OF_THIS_PROCESS.containsKey(this)) {
            OF_THIS_PROCESS.put(
                    this,
                    reads.run(
                            column.toString(),
                            connection -> new Mark(
                                    database(connection), CatalogName.of(column, connection), marks.writer(column))));
        }
    }

    private static String database(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select database_path(), database()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1) + '/' + row.getString(2);
        }
    }

    @Override
    public void release() {
        OF_THIS_PROCESS.remove(this);
    }
}

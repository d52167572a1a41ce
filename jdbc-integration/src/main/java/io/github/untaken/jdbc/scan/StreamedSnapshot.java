package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** One state of some tables, read one after the other over one connection, each by one statement with the driver's cursor. */
abstract class StreamedSnapshot implements Snapshot {
    final List<IdentifierColumn> tables;
    final FreshReads reads;
    final ScanConnection scan;
    private final TableState before;
    private boolean closed; // guarded by this, as is the next
    private boolean reading;

    /** Takes the connection; it goes back if this fails. */
    StreamedSnapshot(List<IdentifierColumn> tables, FreshReads reads, ScanConnection scan) throws SQLException {
        this.tables = tables;
        this.reads = reads;
        this.scan = scan;
        try {
            before = state();
        } catch (Throwable e) {
            scan.giveBack();
            throw e;
        }
    }

    interface Opening {
        StreamedSnapshot on(ScanConnection connection) throws SQLException;
    }

    static StreamedSnapshot open(List<IdentifierColumn> tables, FreshReads reads, int isolation, Opening opening) {
        try {
            StreamedSnapshot snapshot = opening.on(ScanConnection.open(reads, isolation));
            try {
                snapshot.begin(snapshot.scan.connection());
                return snapshot;
            } catch (Throwable e) {
                snapshot.close();
                throw e;
            }
        } catch (SQLException e) {
            throw ColumnRows.notRead(tables, e);
        }
    }

    abstract void begin(Connection connection) throws SQLException;

    /** How many rows the driver is to fetch at once. */
    abstract int fetched() throws SQLException;

    abstract ColumnRows.Care care();

    /** Undoes what {@link #begin} did to the connection, as far as it came. */
    abstract void end(Connection connection) throws SQLException;

    private TableState state() throws SQLException {
        return TableState.of(tables, reads.database(), scan.connection());
    }

    @Override
    public final List<Partition> parts() {
        return List.of(this::scan);
    }

    private void scan(Consumer<String> values) {
        begun();
        try {
            tables.forEach(table -> read(table, values));
        } finally {
            ended();
        }
    }

    private synchronized void begun() {
        if (closed) {
            throw new StoreException("the scan of " + tables + " has ended");
        }
        reading = true;
    }

    private synchronized void ended() {
        reading = false;
        if (closed) {
            giveBack();
        }
    }

    private void read(IdentifierColumn table, Consumer<String> values) {
        try {
            ColumnRows.read(ColumnRows.select(table), fetched(), scan.connection(), care(), values);
        } catch (SQLException e) {
            throw ColumnRows.notRead(List.of(table), e);
        }
    }

    @Override
    public final void confirm() {
        try {
            scan.connection().rollback();
            if (reads.database().isReplica(scan.connection())) {
                throw Lookup.notThePrimary();
            }
            before.requireSame(state(), tables.toString());
        } catch (SQLException e) {
            throw ColumnRows.notRead(tables, e);
        }
    }

    /** A reader still at work, which is not waited for, gives the connection back. */
    @Override
    public final synchronized void close() {
        if (!closed && !reading) {
            giveBack();
        }
        closed = true;
    }

    private void giveBack() {
        try {
            end(scan.connection());
        } catch (SQLException e) {
            scan.abort(); // nobody must get it in that state
        }
        scan.giveBack();
    }
}

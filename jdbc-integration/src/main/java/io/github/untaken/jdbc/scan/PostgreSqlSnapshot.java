package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.FreshReads;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One state of some tables of PostgreSQL. The lock comes first, then the snapshot: if a table were emptied and refilled in between, the
 * snapshot would show nothing of it, without an error. Large tables are read in block ranges over as many connections as may be had, all
 * with that one snapshot.
 *
 * <p>The lock blocks no reader or writer, but whoever waits for a stronger one blocks everybody. So the scan never waits for the lock, and
 * gives it up for anybody who waits.
 */
public final class PostgreSqlSnapshot implements Snapshot {
    /** A megabyte; less is read sooner than another connection is ready. */
    static final int BLOCKS_OF_A_PART = 128;

    /** So that the threads end at about the same time, although ranges differ in rows. */
    private static final int PARTS_FOR_EACH_THREAD = 8;

    /** The first version that finds a range of blocks without reading the others. */
    private static final int FINDS_BLOCKS = 14;

    private static final int HAS_TRANSACTION_TIMEOUT = 17;

    private static final String NOT_AVAILABLE = "55P03";

    /** Something was refused in a subtransaction. */
    private static final String IN_A_SAVEPOINT = "25001";

    /** No right to the whole table, or no table that can be locked, such as a materialized view. */
    private static final Set<String> ONLY_READ = Set.of("42501", "42809");

    /** For this transaction alone; takes no snapshot. */
    private static final String BEGIN = "set transaction isolation level repeatable read, read only;"
            + " set local statement_timeout = 0; set local lock_timeout = 0;"
            + " set local idle_in_transaction_session_timeout = 0";

    /**
     * Of a table and all below it: whether it can be read by blocks, the number of blocks of the largest, and whether each is the file that
     * the snapshot knows.
     */
    private static final String FACTS = "with recursive part(id) as (select ?::regclass::oid"
            + " union select i.inhrelid from pg_catalog.pg_inherits i join part p on i.inhparent = p.id)"
            + " select pg_is_in_recovery(), row_security_active(?::regclass::oid),"
            + " bool_and(c.relkind = 'p' or c.relkind in ('r', 'm') and c.relam = 2),"
            + " coalesce(max(case when c.relkind in ('r', 'm') then pg_relation_size(c.oid) end), 0)"
            + " / current_setting('block_size')::bigint,"
            + " bool_and(c.relfilenode = coalesce(pg_relation_filenode(c.oid), 0))"
            + " from part join pg_catalog.pg_class c on c.oid = part.id";

    /** Whether somebody waits for the only lock that blocks a reader, on anything this transaction holds. */
    private static final String WAITING = "with held as materialized (select * from pg_catalog.pg_locks)"
            + " select exists (select from held w join held o on o.relation = w.relation and o.database = w.database"
            + " where w.locktype = 'relation' and not w.granted and w.mode = 'AccessExclusiveLock'"
            + " and o.locktype = 'relation' and o.granted and o.pid = pg_backend_pid())";

    private final List<IdentifierColumn> tables;
    private final FreshReads reads;
    private final ScanConnection first;
    private final FreeConnections free = new FreeConnections();
    private final GivingWay givingWay;
    private final List<Part> parts = new ArrayList<>();
    private TableState before;

    private record Part(IdentifierColumn table, String where) {
        String sql() {
            return ColumnRows.select(table) + where;
        }
    }

    private record Facts(boolean readByBlocks, long blocks, boolean asInSnapshot) {}

    private PostgreSqlSnapshot(List<IdentifierColumn> tables, FreshReads reads, ScanConnection first) {
        this.tables = tables;
        this.reads = reads;
        this.first = first;
        this.givingWay = new GivingWay(tables.toString());
        this.before = new TableState(List.of());
        free.giveBack(first);
    }

    /**
     * Takes the lock and the snapshot.
     *
     * @throws StoreException if a definition is under way, or rows are hidden
     */
    public static PostgreSqlSnapshot of(List<IdentifierColumn> tables, FreshReads reads, int threads) {
        try {
            PostgreSqlSnapshot snapshot =
                    new PostgreSqlSnapshot(tables, reads, ScanConnection.open(reads, Connection.TRANSACTION_NONE));
            try {
                snapshot.begin(threads);
                return snapshot;
            } catch (Throwable e) {
                snapshot.close();
                throw e;
            }
        } catch (SQLException e) {
            throw ColumnRows.notRead(tables, e);
        }
    }

    private void begin(int threads) throws SQLException {
        Connection connection = first.connection();
        boolean locked = lock(connection, true);
        boolean byBlocks = connection.getMetaData().getDatabaseMajorVersion() >= FINDS_BLOCKS;
        List<Part> ranges = new ArrayList<>();
        for (IdentifierColumn table : tables) {
            Facts facts = facts(table, connection);
            if (!locked && !facts.asInSnapshot()) {
                throw new StoreException(table + " was redefined just before the scan; it starts again later");
            }
            if (!locked && !facts.readByBlocks()) {
                throw new StoreException(
                        table + " is not a plain table, and this user may not lock the tables that it shows,"
                                + " which could be refilled during the scan: grant the user SELECT on all of them");
            }
            parts.add(new Part(table, ""));
            int wanted = byBlocks && facts.readByBlocks() && threads > 1 ? PARTS_FOR_EACH_THREAD * threads : 1;
            ranges.addAll(ranges(table, facts.blocks(), wanted));
        }
        before = state(connection);
        if (ranges.size() > parts.size() && joined(Math.min(threads, ranges.size()), connection)) {
            parts.clear();
            parts.addAll(ranges);
        }
    }

    /**
     * Begins a transaction, without a snapshot yet if possible.
     *
     * @return whether the tables are locked; otherwise this user may only read, which takes the snapshot before the locks
     */
    private boolean lock(Connection connection, boolean orRead) throws SQLException {
        String names =
                String.join(", ", tables.stream().map(IdentifierColumn::table).toList());
        try (Statement statement = connection.createStatement()) {
            begin(statement, connection);
            try {
                statement.execute("lock table " + names + " in access share mode nowait");
                return true;
            } catch (SQLException e) {
                connection.rollback();
                if (NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw GivingWay.toDefinition(names, e);
                }
                if (!orRead || !ONLY_READ.contains(e.getSQLState())) {
                    throw e;
                }
            }
            begin(statement, connection);
            for (IdentifierColumn table : tables) {
                statement.execute(ColumnRows.select(table) + " limit 0");
            }
            return false;
        }
    }

    private static void begin(Statement statement, Connection connection) throws SQLException {
        boolean transactionTimeout = connection.getMetaData().getDatabaseMajorVersion() >= HAS_TRANSACTION_TIMEOUT;
        statement.execute(BEGIN + (transactionTimeout ? "; set local transaction_timeout = 0" : ""));
    }

    private static Facts facts(IdentifierColumn table, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FACTS)) {
            statement.setString(1, table.table());
            statement.setString(2, table.table());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) {
                    throw Lookup.notThePrimary();
                }
                if (row.getBoolean(2)) {
                    throw new StoreException(table + ": " + Lookup.HIDDEN);
                }
                return new Facts(row.getBoolean(3), row.getLong(4), row.getBoolean(5));
            }
        }
    }

    /** The same blocks in each member of the table. The last range is open-ended, as the members differ in size. */
    private static List<Part> ranges(IdentifierColumn table, long blocks, int most) {
        long count = Math.max(1, Math.min(most, blocks / BLOCKS_OF_A_PART));
        List<Part> ranges = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            String from = " where ctid >= '(" + blocks * i / count + ",0)'::tid";
            String to = i + 1 < count ? " and ctid < '(" + blocks * (i + 1) / count + ",0)'::tid" : "";
            ranges.add(new Part(table, count == 1 ? "" : from + to));
        }
        return ranges;
    }

    /** Whether at least one more connection has this snapshot. */
    private boolean joined(int wanted, Connection connection) throws SQLException {
        String name;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_export_snapshot()")) {
            row.next();
            name = row.getString(1);
        } catch (SQLException e) {
            if (IN_A_SAVEPOINT.equals(e.getSQLState())) {
                return false; // the driver sets a savepoint before each statement, and has rolled back to it
            }
            throw e;
        }
        ScanConnection other = first;
        while (other != null && free.size() < wanted) {
            other = ScanConnection.another(reads, Connection.TRANSACTION_NONE);
            if (other != null && !joins(other, name)) {
                other = null;
            }
        }
        return free.size() > 1;
    }

    /**
     * False if it leads to another server, or if something left in its session, such as a role or a path, shows other rows or other tables.
     */
    private boolean joins(ScanConnection other, String name) {
        boolean joins = false;
        try (Statement statement = other.connection().createStatement()) {
            lock(other.connection(), false);
            statement.execute("set transaction snapshot '" + name + "'");
            for (IdentifierColumn table : tables) {
                Facts unused = facts(table, other.connection());
            }
            joins = before.equals(state(other.connection()));
        } catch (SQLException | StoreException e) {
            // Not needed.
        } finally {
            if (joins) {
                free.giveBack(other);
            } else {
                other.giveBack();
            }
        }
        return joins;
    }

    private TableState state(Connection connection) throws SQLException {
        return TableState.of(tables, Database.POSTGRESQL, connection);
    }

    @Override
    public List<Partition> parts() {
        return parts.stream()
                .<Partition>map(part -> values -> scan(part, values))
                .toList();
    }

    private void scan(Part part, Consumer<String> values) {
        ScanConnection taken = free.take();
        try {
            read(part, taken.connection(), values);
        } finally {
            free.giveBack(taken);
        }
    }

    private void read(Part part, Connection connection, Consumer<String> values) {
        try {
            ColumnRows.read(
                    part.sql(),
                    ColumnRows.FETCHED,
                    connection,
                    () -> givingWay.look(() -> somebodyWaits(connection)),
                    values);
        } catch (SQLException e) {
            throw ColumnRows.notRead(List.of(part.table()), e);
        }
    }

    /** The cursor goes on after another statement. */
    private static boolean somebodyWaits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WAITING)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /** In a transaction of its own: the snapshot also shows the catalog as it was. */
    @Override
    public void confirm() {
        try {
            first.connection().rollback();
            before.requireSame(state(first.connection()), tables.toString());
        } catch (SQLException e) {
            throw ColumnRows.notRead(tables, e);
        }
    }

    @Override
    public void close() {
        free.close();
    }
}

package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.Database;
import io.github.untaken.jdbc.IdentifierColumn;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What only the database knows of the watched tables: whether it fills in a column that an INSERT leaves out, or
 * computes it from others, and which other tables are parts of one. Asked on the connection that is about to
 * write, which is at hand; an answer is believed for a minute, or until this application defines something. If
 * the database cannot be asked, the worst is assumed. Thread-safe.
 */
public final class TableFacts {
    private static final long BELIEVED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** From each table of such a name down to its partitions and children, and up to what it is a partition of. */
    private static final String PARTS =
            "with recursive named as (select c.oid, c.relname as root from pg_catalog.pg_class c"
                    + " where lower(c.relname) = any (?)),"
                    + " down as (select * from named union select i.inhrelid, d.root from pg_catalog.pg_inherits i"
                    + " join down d on i.inhparent = d.oid),"
                    + " up as (select * from named union select i.inhparent, u.root from pg_catalog.pg_inherits i"
                    + " join up u on i.inhrelid = u.oid)"
                    + " select c.relname, p.root from (select * from down union select * from up) p"
                    + " join pg_catalog.pg_class c on c.oid = p.oid";

    private final Supplier<WatchedTables> tables;
    private final Map<IdentifierColumn, Answer<Filling>> fillings = new ConcurrentHashMap<>();
    private volatile @Nullable Answer<Map<String, Set<IdentifierKind>>> parts;
    private final AtomicInteger definitions = new AtomicInteger();
    private volatile @Nullable Database database;

    /** The connection of whoever is about to write. */
    public interface AtHand {
        Connection get() throws SQLException;
    }

    /** When the database itself has a value for a column. */
    private enum Filling {
        NEVER,
        /** For a row that is inserted without one. */
        BY_DEFAULT,
        /** With each change of the row, even by an update that does not name the column: it is computed from others. */
        COMPUTED
    }

    private record Answer<T>(T value, long nanos) {

        static <T> Answer<T> now(T value) {
            return new Answer<>(value, System.nanoTime());
        }

        boolean isFresh() {
            return System.nanoTime() - nanos < BELIEVED_NANOS;
        }
    }

    /** @param tables asked when they are needed */
    public TableFacts(Supplier<WatchedTables> tables) {
        this.tables = tables;
    }

    /** Forgets everything: somebody defines data, or has done so. What is being asked is not kept. */
    public void forget() {
        definitions.incrementAndGet();
        fillings.clear();
        parts = null;
    }

    /** Whether a row that is inserted without this column may have a value in it. */
    public boolean mayBeFilledIn(IdentifierColumn column, AtHand connection) {
        return filling(column, connection) != Filling.NEVER;
    }

    /** Those of the columns that an update of other columns may change. */
    public Set<IdentifierColumn> computedOf(Set<IdentifierColumn> columns, AtHand connection) {
        Set<IdentifierColumn> computed = new HashSet<>(columns);
        computed.removeIf(column -> filling(column, connection) != Filling.COMPUTED);
        return computed;
    }

    private Filling filling(IdentifierColumn column, AtHand connection) {
        Answer<Filling> known = fillings.get(column);
        if (known == null || !known.isFresh()) {
            int before = definitions.get();
            try {
                known = Answer.now(filling(column, connection.get()));
            } catch (SQLException | RuntimeException e) {
                return Filling.COMPUTED;
            }
            fillings.put(column, known);
            if (definitions.get() != before) {
                fillings.remove(column);
            }
        }
        return known.value();
    }

    private static Filling filling(IdentifierColumn column, Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        @Nullable Filling worst = null;
        for (String table : spellings(WatchedTables.bareName(column.table()))) {
            for (String name : spellings(WatchedTables.bareName(column.column()))) {
                try (ResultSet rows =
                        database.getColumns(null, null, literally(table, database), literally(name, database))) {
                    while (rows.next()) {
                        Filling filling = filling(rows);
                        worst = worst == null || filling.compareTo(worst) > 0 ? filling : worst;
                    }
                }
            }
        }
        return worst == null ? Filling.COMPUTED : worst;
    }

    private static Filling filling(ResultSet column) throws SQLException {
        if ("YES".equals(column.getString("IS_GENERATEDCOLUMN"))) {
            return Filling.COMPUTED;
        }
        String value = column.getString("COLUMN_DEF");
        boolean domain = column.getInt("DATA_TYPE") == Types.DISTINCT; // may have a default, too
        return domain || value != null && !value.equalsIgnoreCase("null") ? Filling.BY_DEFAULT : Filling.NEVER;
    }

    /** A name without quotes is kept in upper case by some databases and in lower case by others. */
    private static Set<String> spellings(String name) {
        return new LinkedHashSet<>(List.of(name, name.toUpperCase(Locale.ROOT), name.toLowerCase(Locale.ROOT)));
    }

    private static String literally(String name, DatabaseMetaData database) throws SQLException {
        String escape = database.getSearchStringEscape();
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }

    /** The kinds whose identifiers are in those of the named tables that are parts of a watched one. */
    public Set<IdentifierKind> kindsInParts(Set<String> names, AtHand connection) {
        if (names.isEmpty() || !isPostgreSql(connection)) {
            return Set.of();
        }
        Answer<Map<String, Set<IdentifierKind>>> known = parts;
        if (known == null || !known.isFresh()) {
            int before = definitions.get();
            try {
                known = Answer.now(parts(connection.get()));
            } catch (SQLException | RuntimeException e) {
                return tables.get().kinds();
            }
            parts = known;
            if (definitions.get() != before) {
                parts = null;
            }
        }
        Set<IdentifierKind> kinds = new HashSet<>();
        for (String name : names) {
            kinds.addAll(known.value().getOrDefault(name, Set.of()));
        }
        return kinds;
    }

    /** MariaDB, too. */
    public boolean mayBeMySql(AtHand connection) {
        return mayBe(Database.MYSQL, connection);
    }

    private boolean isPostgreSql(AtHand connection) {
        return mayBe(Database.POSTGRESQL, connection);
    }

    /** As long as nobody can tell, it is: the question that follows will fail, too. */
    private boolean mayBe(Database one, AtHand connection) {
        Database known = database;
        if (known == null) {
            try {
                known = Database.named(connection.get().getMetaData().getDatabaseProductName());
            } catch (SQLException | RuntimeException e) {
                return true;
            }
            database = known;
        }
        return known == one;
    }

    private Map<String, Set<IdentifierKind>> parts(Connection connection) throws SQLException {
        WatchedTables watched = tables.get();
        Map<String, Set<IdentifierKind>> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Object[] names = watched.names().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toArray();
        try (PreparedStatement statement = connection.prepareStatement(PARTS)) {
            statement.setArray(1, connection.createArrayOf("text", names));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.computeIfAbsent(rows.getString(1), name -> new HashSet<>())
                            .addAll(watched.kindsIn(rows.getString(2)));
                }
            }
        }
        return found;
    }
}

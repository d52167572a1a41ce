package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.Database;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.catalog.CatalogFacts;
import io.github.untaken.jdbc.statement.StatementReader;
import io.github.untaken.jdbc.statement.StatementReading;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jdbc.transaction.OpenTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is watched for, and who is told. One for all connections; thread-safe. */
public final class Watch {
    private final WatchedTables tables;
    private final StatementReader reader;
    /** The tables in the catalog's spelling, as they are read; in the application's as long as that is not known. */
    private volatile Set<String> read;

    private final CatalogFacts facts;
    private final OpenTransactions open;
    private volatile @Nullable Database database;
    private volatile Set<IdentifierColumn> made = Set.of();

    /**
     * Asks the database nothing.
     *
     * @param columns where the identifiers of each kind are, as an application names them
     * @param open is told of each statement that writes one
     * @param facts what the catalog has shown of them
     */
    public Watch(Map<IdentifierKind, Set<IdentifierColumn>> columns, OpenTransactions open, CatalogFacts facts) {
        this.tables = new WatchedTables(columns);
        this.reader = new StatementReader(tables);
        this.read = tables.tables();
        this.facts = facts;
        this.open = open;
    }

    /** From now on, in quotes and with the schema. */
    public void reads(Set<String> inCatalog) {
        read = Set.copyOf(inCatalog);
    }

    /**
     * From now on.
     *
     * @param columns of which no text shows what is stored, such as those that a trigger fills: whatever writes a table of theirs is unseen
     */
    public void makes(Set<IdentifierColumn> columns) {
        made = Set.copyOf(columns);
    }

    StatementReading read(String sql) {
        return reader.read(sql);
    }

    /** What nobody has read. */
    StatementReading anything() {
        return reader.anything();
    }

    /** What is watched for. */
    public Set<IdentifierKind> kinds() {
        return tables.kinds();
    }

    OpenTransactions open() {
        return open;
    }

    /**
     * On MariaDB and MySQL a temporary table hides another of its name even where that is named with its schema. Whoever is lent the
     * connection next, maybe a scan, must find the table itself. If that cannot be seen to, nobody is lent it.
     */
    void uncover(Connection connection) {
        if (!mayBeMySql(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            for (String table : read) {
                statement.execute("drop temporary table if exists " + table);
            }
        } catch (SQLException | RuntimeException e) {
            abort(connection);
        }
    }

    /** The driver knows. MariaDB, too. */
    private boolean mayBeMySql(Connection connection) {
        Database known = database;
        if (known == null) {
            try {
                known = Database.named(connection.getMetaData().getDatabaseProductName());
            } catch (SQLException | RuntimeException e) {
                return true; // and what follows will fail, too
            }
            database = known;
        }
        return known == Database.MYSQL;
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it is of no use to anybody any more
        }
    }

    /** Somebody has defined data, or may have. */
    void defined() {
        facts.defined();
    }

    /** The kinds of which a statement may write values that are found nowhere, by what was seen last of the tables. */
    Set<IdentifierKind> unseenOf(StatementReading reading) {
        Set<IdentifierKind> unseen = reading.isCertain() ? reading.unseen() : unseenByFacts(reading);
        return made.isEmpty() ? unseen : orMade(unseen, reading);
    }

    private Set<IdentifierKind> orMade(Set<IdentifierKind> unseen, StatementReading reading) {
        Set<IdentifierColumn> concerned = new HashSet<>(reading.judgement().columns());
        concerned.addAll(reading.omitted());
        concerned.addAll(reading.judgement().omitted());
        concerned.addAll(reading.judgement().untouched());
        concerned.retainAll(made);
        Set<IdentifierKind> all = new HashSet<>(tables.kindsIn(concerned));
        all.addAll(unseen);
        return all;
    }

    private Set<IdentifierKind> unseenByFacts(StatementReading reading) {
        Set<IdentifierColumn> filled = new HashSet<>(reading.omitted());
        filled.removeIf(column -> !facts.mayBeFilledIn(column));
        filled.addAll(facts.computedOf(reading.judgement().untouched()));
        Set<IdentifierKind> unseen = new HashSet<>(reading.unseen());
        unseen.addAll(tables.kindsIn(filled));
        unseen.addAll(facts.kindsInParts(reading.judgement().others(), tables));
        return unseen;
    }
}

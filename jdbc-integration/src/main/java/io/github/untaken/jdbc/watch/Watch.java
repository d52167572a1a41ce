package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What to watch for, and who is told. One for all connections; thread-safe. */
public final class Watch {
    private final WatchedTables tables;
    private final StatementJudge judge;
    /** The tables that are read, as the catalog spells them; as the application does while that is not known. */
    private volatile Set<String> read;

    private final CatalogFacts facts;
    private final OpenTransactions open;
    private final ReadTarget target;
    private volatile @Nullable Database database;

    /**
     * Does not ask the database.
     *
     * @param columns where the identifiers of each kind are, as an application names them
     * @param open is told of each statement that writes one
     * @param facts what the catalog has shown of them
     */
    public Watch(Map<IdentifierKind, Set<IdentifierColumn>> columns, OpenTransactions open, CatalogFacts facts) {
        this.tables = new WatchedTables(columns);
        this.judge = new StatementJudge(tables, facts);
        this.read = tables.tables();
        this.facts = facts;
        this.open = open;
        this.target = new ReadTarget(tables.tables());
    }

    /** Where the checker reads from now on. */
    public void readsFrom(@Nullable DatabaseAddress address) {
        target.isReadFrom(address);
    }

    ReadTarget target() {
        return target;
    }

    /** The tables read from now on, in quotes and with the schema. */
    public void reads(Set<String> inCatalog) {
        read = Set.copyOf(inCatalog);
    }

    /** What a text may do if it is sent now. */
    Judgement judge(String sql) {
        return judge.judge(sql);
    }

    /** What an unknown text may do. */
    Judgement anything() {
        return judge.anything();
    }

    /** A record of writers who are not heard: any of the kinds may be written. */
    public OpenWrite unheard() {
        OpenWrite write = open.create();
        kinds().forEach(kind -> open.survived(() -> write.unseen(kind)));
        return write;
    }

    /** The kinds that are watched for. */
    Set<IdentifierKind> kinds() {
        return tables.kinds();
    }

    OpenTransactions open() {
        return open;
    }

    /**
     * On MariaDB and MySQL a temporary table hides another of its name, even if that is named with its schema. Whoever is lent the
     * connection next, maybe a scan, must find the table itself. If that cannot be ensured, the connection is lent to nobody.
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

    /** The driver knows. MariaDB counts too. */
    private boolean mayBeMySql(Connection connection) {
        Database known = database;
        if (known == null) {
            try {
                known = Database.named(connection.getMetaData().getDatabaseProductName());
            } catch (SQLException | RuntimeException e) {
                return true; // what follows will fail too
            }
            database = known;
        }
        return known == Database.MYSQL;
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it is of no more use to anybody
        }
    }

    /** Data was defined, or may have been. */
    void defined() {
        facts.defined();
    }
}

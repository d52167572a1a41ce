package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * On MariaDB and MySQL each transaction that has written anything stands in InnoDB's list until its end is visible; so does a prepared XA
 * transaction. Nothing tells which table it has written, so all that have written are waited for. A session that awaits a lock that is not
 * InnoDB's, of a definition or a backup, stands only in the process list. No lock is taken.
 *
 * <p>InnoDB's list is an undated copy, which it renews only if nobody has read it for 100 ms. An older copy may lack the very transaction
 * that must be waited for. So each look has a number in its text and a transaction of its own: a copy that shows this transaction with this
 * text was made while the look was under way.
 */
final class InnoDbWriters implements Writers {
    private static final int NO_RIGHT = 1227;

    /** These report MySQL's version, and have lists that are empty or of one node. */
    private static final Pattern OTHER_PRODUCTS =
            Pattern.compile("tidb|vitess|oceanbase|planetscale", Pattern.CASE_INSENSITIVE);

    /** Set on a node of a cluster, where another node may have been written. */
    private static final String CLUSTER =
            "show global variables where variable_name in ('wsrep_on', 'group_replication_group_name')"
                    + " and value not in ('', 'OFF', '0')";

    private static final String ENGINE =
            "select version(), engine from information_schema.tables where table_schema = ? and table_name = ?";

    /** A transaction that has locked a table and stored nothing yet writes only while a statement runs. */
    private static final String WRITING = "select trx_id, trx_mysql_thread_id,"
            + " trx_rows_modified > 0 or trx_state = 'LOCK WAIT' or trx_tables_locked > 0 and trx_query is not null,"
            + " trx_mysql_thread_id = connection_id() and trx_query like '%NUMBER%' from information_schema.innodb_trx";

    @Override
    public Look look(IdentifierColumn column, Connection connection) throws SQLException {
        String missing = missing(column, connection);
        return missing == null ? lists(connection) : Look.missing(missing);
    }

    private static @Nullable String missing(IdentifierColumn column, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        try (PreparedStatement cluster = connection.prepareStatement(CLUSTER);
                PreparedStatement engine = connection.prepareStatement(ENGINE)) {
            try (ResultSet rows = cluster.executeQuery()) {
                if (rows.next()) {
                    return "The server is a node of a cluster (" + rows.getString(1)
                            + " is set), which does not show what is open on its other nodes";
                }
            }
            boolean schemas = connection.getMetaData().supportsSchemasInTableDefinitions();
            engine.setString(1, schemas ? name.schema() : name.catalog());
            engine.setString(2, name.table());
            try (ResultSet row = engine.executeQuery()) {
                if (!row.next() || !"InnoDB".equalsIgnoreCase(row.getString(2))) {
                    return column.table() + " is not an InnoDB table, so nothing shows who writes it";
                }
                return OTHER_PRODUCTS.matcher(row.getString(1)).find()
                        ? row.getString(1) + " does not show on one server who has written: use plain MariaDB or MySQL"
                        : null;
            }
        }
    }

    private static Look lists(Connection connection) throws SQLException {
        Map<String, String> open = new HashMap<>();
        Set<String> there = new HashSet<>();
        boolean fresh = false;
        String number = Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE));
        try (Statement statement = connection.createStatement()) {
            statement.execute("start transaction with consistent snapshot");
            // Before InnoDB's list: whoever stops waiting meanwhile is found there.
            MySqlProcess.all(statement).stream()
                    .filter(MySqlProcess::waits)
                    .forEach(each -> open.put(connection(each.id()), connection(each.id())));
            try (ResultSet rows = statement.executeQuery(WRITING.replace("NUMBER", number))) {
                while (rows.next()) {
                    fresh |= rows.getBoolean(4);
                    if (rows.getBoolean(3)) {
                        long by = rows.getLong(2);
                        there.add(connection(by)); // a waiting one may have gone on
                        open.put(rows.getString(1), by == 0 ? "a prepared XA transaction" : connection(by));
                    }
                }
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_RIGHT) {
                return Look.missing("The database user may not see the transactions of others: GRANT PROCESS ON *.* TO "
                        + user(connection));
            }
            throw e;
        }
        there.addAll(open.keySet());
        return fresh ? new Look(null, true, open, there) : Look.STALE;
    }

    private static String connection(long id) {
        return "connection " + id;
    }

    private static String user(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select concat('''', replace(current_user(), '@', '''@'''), '''')")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Longer than the copy is kept, and never in step with another reader. */
    @Override
    public LongSupplier intervals() {
        return () -> ThreadLocalRandom.current().nextLong(120, 350);
    }

    @Override
    public String whyNotFresh() {
        return "somebody reads information_schema.innodb_trx so often that it is never up to date: find that monitor";
    }
}

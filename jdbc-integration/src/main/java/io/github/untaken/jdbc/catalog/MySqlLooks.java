package io.github.untaken.jdbc.catalog;

import io.github.untaken.jdbc.connection.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * MariaDB and MySQL say when a table was made or last altered, in whole seconds; with the right to see it, they say more. Reading the
 * views, foreign keys and routines that name a table takes them tens of milliseconds. So these are read again only every half minute, and
 * when anything else has changed or this application has defined data.
 */
final class MySqlLooks implements Looks {
    private static final int RARELY = 15;

    private static final String SERVER = "show global variables where variable_name in"
            + " ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port', 'read_only', 'innodb_read_only',"
            + " 'lower_case_table_names')";

    private static final String STATUS = "show global status where variable_name in"
            + " ('Uptime', 'Innodb_lsn_current', 'Innodb_redo_log_current_lsn')";

    private static final String WHERE = " where table_schema = ? and table_name = ?";

    private static final String TABLE =
            "select table_type, engine, table_collation from information_schema.tables" + WHERE;

    private static final String ALTERED = "select create_time from information_schema.tables" + WHERE;

    private static final String COLUMNS =
            "select column_name, ordinal_position, column_default, is_nullable, column_type,"
                    + " character_set_name, collation_name, extra, generation_expression from information_schema.columns"
                    + WHERE;

    private static final String INDEXES =
            "select group_concat(concat_ws(':', column_name, sub_part) order by seq_in_index)"
                    + " from information_schema.statistics" + WHERE + " and non_unique = ";

    private static final String TRIGGERS = "select trigger_schema, trigger_name, action_timing, event_manipulation,"
            + " action_statement, created from information_schema.triggers"
            + " where event_object_schema = ? and event_object_table = ?";

    private static final String OPTIONS =
            "select create_options, table_comment, row_format" + " from information_schema.tables" + WHERE;

    private static final String PARTITIONS = "select distinct partition_name, partition_method, partition_expression"
            + " from information_schema.partitions" + WHERE + " and partition_name is not null";

    private static final String KEYS = "select k.column_name, k.referenced_table_schema, k.referenced_table_name,"
            + " r.update_rule, r.delete_rule, k.constraint_name, k.referenced_column_name"
            + " from information_schema.key_column_usage k join information_schema.referential_constraints r"
            + " on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name"
            + " and r.table_name = k.table_name"
            + " where k.table_schema = ? and k.table_name = ? and k.referenced_table_name is not null";

    private static final String VIEWS = "select table_name, view_definition from information_schema.views"
            + " where table_schema not in ('information_schema', 'performance_schema', 'sys', 'mysql')";

    private static final String ROUTINES = "select routine_name, concat(last_altered, ' ', routine_definition)"
            + " from information_schema.routines"
            + " where routine_schema not in ('information_schema', 'performance_schema', 'sys', 'mysql')";

    private static final Pattern WRITES =
            Pattern.compile("\\b(insert|update|replace|load)\\b", Pattern.CASE_INSENSITIVE);
    /** A text that a routine builds may name anything. */
    private static final Pattern MAKES_TEXTS = Pattern.compile("\\bexecute\\b", Pattern.CASE_INSENSITIVE);

    private static final int NO_SUCH_VARIABLE = 1193;

    private final TableName.Finder names;
    private final AtomicInteger definitions = new AtomicInteger();
    private volatile Rarely last = new Rarely(Map.of(), Map.of(), 0, 0);

    /**
     * @param often what else was seen when this was read
     * @param seen what takes long
     * @param definitions how many definitions there had been here before it was read
     * @param looks how many looks have used it
     */
    private record Rarely(Map<String, SeenTable> often, Map<String, SeenTable> seen, int definitions, int looks) {}

    MySqlLooks(TableName.Finder names) {
        this.names = names;
    }

    @Override
    public Fingerprint look(List<String> tables, Connection connection) throws SQLException {
        refuseOldValues(connection);
        int defined = definitions.get();
        SeenServer server = server(connection);
        Map<String, SeenTable> now = new HashMap<>();
        for (String table : tables) {
            now.put(table, table(names.of(table, connection), connection));
        }
        Rarely rarely = last;
        rarely = rarely.looks() % RARELY == 0 || rarely.definitions() != defined || !now.equals(rarely.often())
                ? new Rarely(now, rarely(tables, connection), defined, 1)
                : new Rarely(now, rarely.seen(), defined, rarely.looks() + 1);
        last = rarely;
        Map<String, SeenTable> rare = rarely.seen();
        Map<String, SeenTable> seen = new HashMap<>();
        now.forEach((table, often) -> seen.put(table, both(often, rare.getOrDefault(table, SeenTable.NONE))));
        return new Fingerprint(server, Map.copyOf(seen));
    }

    @Override
    public void defined() {
        definitions.incrementAndGet();
    }

    /**
     * For MySQL 8.0 and later; MariaDB refuses it, and its driver logs that. Not as an executable comment: that would count as a write
     * where the connection is watched for somebody else.
     */
    private static void refuseOldValues(Connection connection) throws SQLException {
        if (Database.isMariaDb(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("set session information_schema_stats_expiry = 0");
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_VARIABLE) {
                throw e;
            }
        }
    }

    private static SeenTable both(SeenTable often, SeenTable rarely) {
        Map<String, Part> parts = new HashMap<>(often.parts());
        parts.putAll(rarely.parts());
        return new SeenTable(
                parts, rarely.decides(), rarely.carriers(), rarely.routines(), often.filled(), often.computed());
    }

    private static SeenServer server(Connection connection) throws SQLException {
        Digest identity = new Digest();
        long start = 0;
        long position = 0;
        try (PreparedStatement variables = connection.prepareStatement(SERVER);
                PreparedStatement status = connection.prepareStatement(STATUS)) {
            identity.add("server", variables);
            try (ResultSet rows = status.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(1).equalsIgnoreCase("Uptime")) {
                        start = System.currentTimeMillis() / 1000 - rows.getLong(2);
                    } else {
                        position = rows.getLong(2);
                    }
                }
            }
        }
        return new SeenServer(identity.toString(), String.valueOf(start), position);
    }

    private static SeenTable table(TableName name, Connection connection) throws SQLException {
        Digest decides = new Digest();
        add(decides, TABLE, name, connection);
        add(decides, COLUMNS, name, connection);
        add(decides, INDEXES + "0 group by index_name", name, connection);
        add(decides, TRIGGERS, name, connection);
        Digest versions = new Digest();
        add(versions, ALTERED, name, connection);
        Digest excuses = new Digest();
        add(excuses, OPTIONS, name, connection);
        add(excuses, INDEXES + "1 group by index_name", name, connection);
        add(excuses, PARTITIONS, name, connection);
        Map<String, Part> parts = new HashMap<>();
        Part.Entry entry = new Part.Entry(versions.toString(), excuses.toString());
        parts.put("table", Part.of("table", name.table(), decides.toString(), entry));
        try (PreparedStatement statement = about(name, PARTITIONS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String id = "partition " + rows.getString(1) + ' ' + rows.getString(2) + ' ' + rows.getString(3);
                // no text writes a partition by its name alone
                parts.put(id, new Part(id, "", true, "", List.of(), Part.Storage.NOT_SHOWN));
            }
        }
        return withColumns(name, parts, connection);
    }

    private static SeenTable withColumns(TableName name, Map<String, Part> parts, Connection connection)
            throws SQLException {
        Map<String, Set<String>> filled = new HashMap<>();
        Set<String> computed = new HashSet<>();
        boolean there = false;
        try (PreparedStatement statement = about(name, COLUMNS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                there = true;
                String column = rows.getString("COLUMN_NAME");
                String extra = rows.getString("EXTRA").toLowerCase(Locale.ROOT);
                String value = rows.getString("COLUMN_DEFAULT");
                if (rows.getString("GENERATION_EXPRESSION") != null
                                && !rows.getString("GENERATION_EXPRESSION").isEmpty()
                        || extra.contains("on update")) {
                    computed.add(column);
                } else if (value != null && !value.equalsIgnoreCase("null")
                        || extra.contains("default_generated")
                        || extra.contains("auto_increment")) {
                    // MariaDB quotes the text. MySQL does not, so there an empty one is a text too, and quotes are part
                    // of it.
                    Set<String> empty = extra.isEmpty() && "".equals(value) ? Set.of("") : Set.of();
                    filled.put(
                            column,
                            Looks.plainText(value)
                                    .map(text -> Set.of(text, value))
                                    .orElse(empty));
                }
            }
        }
        return there ? new SeenTable(parts, "", Map.of(), Set.of(), filled, computed) : SeenTable.NONE;
    }

    private Map<String, SeenTable> rarely(List<String> tables, Connection connection) throws SQLException {
        Definitions views = new Definitions(Looks.texts(VIEWS, connection));
        Definitions routines = new Definitions(Looks.texts(ROUTINES, connection));
        Map<String, SeenTable> seen = new HashMap<>();
        for (String table : tables) {
            TableName name = names.of(table, connection);
            Map<String, Part> parts = new HashMap<>();
            views.naming(Set.of(name.table()))
                    .forEach((view, text) -> parts.put("view " + view, Part.of("view " + view, view, text)));
            Digest decides = new Digest();
            add(decides, KEYS, name, connection);
            Map<String, Set<String>> carriers = ForeignKey.carriers(name, views, each -> keys(each, connection));
            Set<String> writable = new HashSet<>(Set.of(name.table()));
            parts.values().forEach(view -> writable.add(view.name()));
            carriers.values().forEach(writable::addAll);
            routines.naming(writable).forEach((routine, text) -> decides.add(routine + ' ' + text));
            seen.put(
                    table,
                    new SeenTable(
                            parts, decides.toString(), carriers, writing(writable, routines), Map.of(), Set.of()));
        }
        return seen;
    }

    /** The routines that write one of them, and those that call such a routine. */
    private static Set<String> writing(Set<String> names, Definitions routines) {
        Set<String> writing = routines.with(WRITES);
        writing.retainAll(routines.naming(names).keySet());
        writing.addAll(routines.with(MAKES_TEXTS));
        writing.addAll(routines.naming(writing).keySet());
        return writing;
    }

    private static List<ForeignKey> keys(TableName name, Connection connection) throws SQLException {
        List<ForeignKey> keys = new ArrayList<>();
        try (PreparedStatement statement = about(name, KEYS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                TableName to = new TableName(rows.getString(2), null, rows.getString(3));
                keys.add(new ForeignKey(rows.getString(1), to, rows.getString(4), rows.getString(5)));
            }
        }
        return keys;
    }

    private static void add(Digest to, String query, TableName name, Connection connection) throws SQLException {
        try (PreparedStatement statement = about(name, query, connection)) {
            to.add("row", statement);
        }
    }

    private static PreparedStatement about(TableName name, String query, Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(query);
        try {
            statement.setString(1, name.catalog());
            statement.setString(2, name.table());
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }
}

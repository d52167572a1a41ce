package io.github.untaken.jdbc.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** H2's catalog has no versions: what was changed and changed back between two looks is not seen. */
final class H2Looks implements Looks {
    private static final String WHERE = " where table_schema = ? and table_name = ?";

    private static final String TABLE = "select table_type, db_object_id('TABLE', table_schema, table_name)"
            + " from information_schema.tables" + WHERE;

    private static final String COLUMNS = "select column_name, ordinal_position, data_type, character_maximum_length,"
            + " collation_name, column_default, is_nullable, is_generated, generation_expression, is_identity,"
            + " domain_schema, domain_name, column_on_update, default_on_null from information_schema.columns" + WHERE;

    private static final String INDEXES = "select i.index_type_name, i.index_name, c.ordinal_position, c.column_name"
            + " from information_schema.indexes i join information_schema.index_columns c"
            + " on c.index_schema = i.index_schema and c.index_name = i.index_name"
            + " where i.table_schema = ? and i.table_name = ?"
            + " and i.index_type_name in ('PRIMARY KEY', 'UNIQUE INDEX')";

    private static final String TRIGGERS =
            "select trigger_schema, trigger_name, event_manipulation, action_timing, java_class"
                    + " from information_schema.triggers where event_object_schema = ? and event_object_table = ?";

    private static final String CONSTRAINTS = "select constraint_schema, constraint_name, constraint_type"
            + " from information_schema.table_constraints" + WHERE;

    private static final String KEYS =
            "select k.column_name, u.table_schema, u.table_name, r.update_rule, r.delete_rule"
                    + " from information_schema.key_column_usage k"
                    + " join information_schema.referential_constraints r on r.constraint_schema = k.constraint_schema"
                    + " and r.constraint_name = k.constraint_name join information_schema.table_constraints u"
                    + " on u.constraint_schema = r.unique_constraint_schema and u.constraint_name = r.unique_constraint_name"
                    + " where k.table_schema = ? and k.table_name = ?";

    private static final String SYNONYMS = "select synonym_name from information_schema.synonyms"
            + " where synonym_for_schema = ? and synonym_for = ?";

    private static final String DOMAINS = "select concat_ws('.', domain_schema, domain_name), domain_default,"
            + " domain_on_update, concat_ws('.', parent_domain_schema, parent_domain_name) from information_schema.domains";

    private static final String VIEWS = "select table_name, view_definition from information_schema.views"
            + " where table_schema <> 'INFORMATION_SCHEMA'";

    private final TableName.Finder names;

    /** What a domain gives to columns of its own. */
    private record Domain(
            boolean fills, boolean computes, @Nullable String parent) {}

    H2Looks(TableName.Finder names) {
        this.names = names;
    }

    @Override
    public Fingerprint look(List<String> tables, Connection connection) throws SQLException {
        Map<String, Domain> domains = domains(connection);
        Definitions views = new Definitions(Looks.texts(VIEWS, connection));
        Map<String, SeenTable> seen = new HashMap<>();
        for (String table : tables) {
            seen.put(table, table(names.of(table, connection), domains, views, connection));
        }
        try (PreparedStatement statement = connection.prepareStatement("select database_path(), database()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return new Fingerprint(new SeenServer(row.getString(1) + '/' + row.getString(2), "", 0), Map.copyOf(seen));
        }
    }

    private static Map<String, Domain> domains(Connection connection) throws SQLException {
        Map<String, Domain> domains = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(DOMAINS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                domains.put(
                        rows.getString(1),
                        new Domain(rows.getString(2) != null, rows.getString(3) != null, rows.getString(4)));
            }
        }
        return domains;
    }

    private static SeenTable table(
            TableName name, Map<String, Domain> domains, Definitions views, Connection connection) throws SQLException {
        Digest decides = new Digest();
        String id = id(name, decides, connection);
        if (id.isEmpty()) {
            return SeenTable.NONE;
        }
        for (String query : List.of(COLUMNS, INDEXES, TRIGGERS, CONSTRAINTS)) {
            try (PreparedStatement statement = about(name, query, connection)) {
                decides.add(query.substring(0, 30), statement);
            }
        }
        Map<String, Part> parts = new HashMap<>();
        parts.put(id, Part.of(id, name.table(), ""));
        views.naming(Set.of(name.table()))
                .forEach((view, text) -> parts.put("view " + view, Part.of("view " + view, view, text)));
        try (PreparedStatement statement = about(name, SYNONYMS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String synonym = rows.getString(1);
                parts.put("synonym " + synonym, Part.of("synonym " + synonym, synonym, ""));
            }
        }
        Set<String> filled = new HashSet<>();
        Map<String, Set<String>> defaults = new HashMap<>();
        Set<String> computed = new HashSet<>();
        try (PreparedStatement statement = about(name, COLUMNS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Domain domain =
                        inherited(rows.getString("DOMAIN_SCHEMA") + '.' + rows.getString("DOMAIN_NAME"), domains);
                String column = rows.getString("COLUMN_NAME");
                if ("ALWAYS".equals(rows.getString("IS_GENERATED"))
                        || rows.getString("COLUMN_ON_UPDATE") != null
                        || rows.getBoolean("DEFAULT_ON_NULL")
                        || domain.computes()) {
                    computed.add(column);
                } else if (rows.getString("COLUMN_DEFAULT") != null
                        || "YES".equals(rows.getString("IS_IDENTITY"))
                        || domain.fills()) {
                    filled.add(column);
                    Looks.plainText(rows.getString("COLUMN_DEFAULT"))
                            .ifPresent(text -> defaults.put(column, Set.of(text)));
                }
            }
        }
        domains.forEach((domain, gives) -> decides.add(domain + gives.fills() + gives.computes()));
        Map<String, Set<String>> carriers = ForeignKey.carriers(name, views, table -> keys(table, connection));
        return new SeenTable(parts, decides.toString(), carriers, Set.of(), filled, defaults, computed);
    }

    private static List<ForeignKey> keys(TableName name, Connection connection) throws SQLException {
        List<ForeignKey> keys = new ArrayList<>();
        try (PreparedStatement statement = about(name, KEYS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                TableName to = new TableName(null, rows.getString(2), rows.getString(3));
                keys.add(new ForeignKey(rows.getString(1), to, rows.getString(4), rows.getString(5)));
            }
        }
        return keys;
    }

    /** Empty if there is no such table. */
    private static String id(TableName name, Digest decides, Connection connection) throws SQLException {
        try (PreparedStatement statement = about(name, TABLE, connection);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return "";
            }
            decides.add(row.getString(1));
            return "table " + row.getString(2);
        }
    }

    private static PreparedStatement about(TableName name, String query, Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(query);
        try {
            statement.setString(1, name.schema());
            statement.setString(2, name.table());
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** With what it has from the domains above it. */
    private static Domain inherited(String name, Map<String, Domain> domains) {
        boolean fills = false;
        boolean computes = false;
        Set<String> seen = new HashSet<>();
        String at = name;
        while (at != null && seen.add(at)) {
            Domain domain = domains.get(at);
            if (domain == null) {
                break;
            }
            fills |= domain.fills();
            computes |= domain.computes();
            at = domain.parent();
        }
        return new Domain(fills, computes, null);
    }
}

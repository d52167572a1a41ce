package io.github.untaken.jdbc.catalog;

import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** H2's catalog has no versions: what was changed and changed back between two looks is not seen. */
final class H2Looks implements Looks {
    /** In capitals, as the catalog has them: H2 may be told not to change the case of names. */
    private static final String WHERE = " where TABLE_SCHEMA = ? and TABLE_NAME = ?";

    private static final String TABLE = "select TABLE_TYPE, db_object_id('TABLE', TABLE_SCHEMA, TABLE_NAME)"
            + " from INFORMATION_SCHEMA.TABLES" + WHERE;

    private static final String COLUMNS = "select COLUMN_NAME, ORDINAL_POSITION, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH,"
            + " COLLATION_NAME, COLUMN_DEFAULT, IS_NULLABLE, IS_GENERATED, GENERATION_EXPRESSION, IS_IDENTITY,"
            + " DOMAIN_SCHEMA, DOMAIN_NAME, COLUMN_ON_UPDATE, DEFAULT_ON_NULL from INFORMATION_SCHEMA.COLUMNS" + WHERE;

    /** The join by the table's name is for H2, which otherwise makes up the columns of all indexes there are for each index. */
    private static final String INDEXES = "select i.INDEX_TYPE_NAME, i.INDEX_NAME, c.ORDINAL_POSITION, c.COLUMN_NAME"
            + " from INFORMATION_SCHEMA.INDEXES i join INFORMATION_SCHEMA.INDEX_COLUMNS c"
            + " on c.INDEX_SCHEMA = i.INDEX_SCHEMA and c.INDEX_NAME = i.INDEX_NAME"
            + " and c.TABLE_SCHEMA = i.TABLE_SCHEMA and c.TABLE_NAME = i.TABLE_NAME"
            + " where i.TABLE_SCHEMA = ? and i.TABLE_NAME = ?"
            + " and i.INDEX_TYPE_NAME in ('PRIMARY KEY', 'UNIQUE INDEX')";

    private static final String TRIGGERS =
            "select TRIGGER_SCHEMA, TRIGGER_NAME, EVENT_MANIPULATION, ACTION_TIMING, JAVA_CLASS"
                    + " from INFORMATION_SCHEMA.TRIGGERS where EVENT_OBJECT_SCHEMA = ? and EVENT_OBJECT_TABLE = ?";

    private static final String CONSTRAINTS = "select CONSTRAINT_SCHEMA, CONSTRAINT_NAME, CONSTRAINT_TYPE"
            + " from INFORMATION_SCHEMA.TABLE_CONSTRAINTS" + WHERE;

    private static final String KEYS =
            "select k.COLUMN_NAME, u.TABLE_SCHEMA, u.TABLE_NAME, r.UPDATE_RULE, r.DELETE_RULE"
                    + " from INFORMATION_SCHEMA.KEY_COLUMN_USAGE k"
                    + " join INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS r on r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA"
                    + " and r.CONSTRAINT_NAME = k.CONSTRAINT_NAME join INFORMATION_SCHEMA.TABLE_CONSTRAINTS u"
                    + " on u.CONSTRAINT_SCHEMA = r.UNIQUE_CONSTRAINT_SCHEMA and u.CONSTRAINT_NAME = r.UNIQUE_CONSTRAINT_NAME"
                    + " where k.TABLE_SCHEMA = ? and k.TABLE_NAME = ?";

    private static final String SYNONYMS = "select SYNONYM_NAME from INFORMATION_SCHEMA.SYNONYMS"
            + " where SYNONYM_FOR_SCHEMA = ? and SYNONYM_FOR = ?";

    private static final String DOMAINS = "select concat_ws('.', DOMAIN_SCHEMA, DOMAIN_NAME), DOMAIN_DEFAULT,"
            + " DOMAIN_ON_UPDATE, concat_ws('.', PARENT_DOMAIN_SCHEMA, PARENT_DOMAIN_NAME) from INFORMATION_SCHEMA.DOMAINS";

    private static final String VIEWS = "select TABLE_NAME, VIEW_DEFINITION from INFORMATION_SCHEMA.VIEWS"
            + " where TABLE_SCHEMA <> 'INFORMATION_SCHEMA'";

    private static final String SERVER = "select database_path(), database()";

    /**
     * A process that opens the file keeps it locked, so others connect only through a server in that process. A user who is no
     * administrator sees no other sessions.
     */
    private static final String SESSIONS = "select s.CLIENT_ADDR is not null,"
            + " exists (select 1 from INFORMATION_SCHEMA.SESSIONS where CLIENT_ADDR is not null)"
            + " from INFORMATION_SCHEMA.SESSIONS s where s.SESSION_ID = session_id()";

    private final TableName.Finder names;

    /** What a domain gives to its columns. */
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
        try (PreparedStatement statement = connection.prepareStatement(SERVER);
                ResultSet row = statement.executeQuery()) {
            row.next();
            SeenServer server = new SeenServer(row.getString(1) + '/' + row.getString(2), "", 0);
            return new Fingerprint(server, Map.copyOf(seen));
        }
    }

    @Override
    public Standing standing(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SESSIONS);
                ResultSet own = statement.executeQuery()) {
            if (!own.next()) {
                throw new SQLException("H2 does not list its sessions", "58005");
            }
            if (own.getBoolean(1)) {
                return Standing.UNKNOWN; // others may be connected in the same way
            }
            return own.getBoolean(2) ? Standing.BESIDE_OTHERS : Standing.ALONE;
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
        for (String query : List.of(INDEXES, TRIGGERS, CONSTRAINTS)) {
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
        Map<String, Set<String>> filled = new HashMap<>();
        Set<String> computed = new HashSet<>();
        try (PreparedStatement statement = about(name, COLUMNS, connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                decides.addRow("column", rows);
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
                    filled.put(
                            column,
                            Looks.plainText(rows.getString("COLUMN_DEFAULT")).stream()
                                    .collect(Collectors.toSet()));
                }
            }
        }
        Map<String, Set<String>> carriers = ForeignKey.carriers(name, views, table -> keys(table, connection));
        return new SeenTable(parts, decides.toString(), carriers, Set.of(), filled, computed);
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

    /** With what it inherits from the domains above it. */
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

package io.github.untaken.jdbc.column;

import io.github.untaken.jdbc.connection.Database;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What may change a column without a statement that names its table: triggers, updatable views, cascading foreign keys. The database is
 * asked once; the log says what was found and what follows. What the database user may not see is not found.
 */
public final class TableWarnings {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jdbc");
    private static final String UNSEEN = " is not seen until the next rescan. ";

    private static final String TRIGGERS = "select distinct TRIGGER_NAME from INFORMATION_SCHEMA.TRIGGERS"
            + " where EVENT_OBJECT_SCHEMA in (?, ?) and EVENT_OBJECT_TABLE = ? order by 1";

    /** A trigger of another table may write this one. Here it can be seen what each does. */
    private static final String OTHER_TRIGGERS = "select distinct trigger_name, action_statement"
            + " from information_schema.triggers where lower(action_statement) like ? order by 1";

    private static final String VIEWS = "select TABLE_NAME, VIEW_DEFINITION from INFORMATION_SCHEMA.VIEWS"
            + " where IS_UPDATABLE = 'YES' and lower(VIEW_DEFINITION) like ? order by 1";

    private static final String STRICT = "select @@sql_mode regexp 'STRICT_(TRANS|ALL)_TABLES'"
            + " and @@global.sql_mode regexp 'STRICT_(TRANS|ALL)_TABLES'";

    private static final Pattern READS_ROUTINES =
            Pattern.compile("SHOW_ROUTINE|\\b(SELECT|ALL PRIVILEGES)\\b.* ON (\\*\\.\\*|MYSQL\\.(\\*|PROC)) ");

    /** What is granted, on which schema, on which table. */
    private static final Pattern GRANT = Pattern.compile("GRANT (.+) ON (?:TABLE )?(.+)\\.(.+?) TO .*");

    private TableWarnings() {}

    /** Logs what there is. If the database does not answer, less is logged; the start goes on. */
    public static void tell(IdentifierColumn column, Connection connection) {
        try {
            CatalogName name = CatalogName.of(column, connection);
            Database database = Database.named(connection.getMetaData().getDatabaseProductName());
            if (database == Database.MYSQL) {
                tellIfNotStrict(column, connection);
                tellOfMissingRights(column, name, connection);
            }
            tell(column, "triggers", triggers(name, database, connection), "What they write there");
            tell(column, "views that can be written", views(name, connection), "What is written through them");
            tell(column, "foreign keys that change it", cascades(name, connection), "What they change");
        } catch (SQLException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "The catalog does not say whether triggers, views or foreign keys write " + column + " (SQLSTATE "
                            + e.getSQLState() + "). Grant the right to read it, or look yourself.");
        }
    }

    private static void tell(IdentifierColumn column, String what, List<String> found, String theirs) {
        if (!found.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    column + " has " + what + " (" + String.join(", ", found) + "). " + theirs + UNSEEN
                            + "Announce the names, or wrap such work in registrations().bulk(kind, work).");
        }
    }

    /** Here or on the server. A session may differ, so nothing relies on this. */
    private static void tellIfNotStrict(IdentifierColumn column, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(STRICT);
                ResultSet row = statement.executeQuery()) {
            row.next();
            if (!row.getBoolean(1)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        column
                                + " is written by sessions whose sql_mode is not strict, so the database may replace"
                                + " characters of a name. What it stores instead" + UNSEEN + "Set sql_mode to"
                                + " STRICT_TRANS_TABLES.");
            }
        }
    }

    /** The catalog does not show that something is hidden. A right that comes with a role may not be listed. */
    private static void tellOfMissingRights(IdentifierColumn column, CatalogName name, Connection connection)
            throws SQLException {
        List<String> grants = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("show grants");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                grants.add(rows.getString(1).toUpperCase(Locale.ROOT).replace("`", ""));
            }
        }
        List<String> missing = new ArrayList<>();
        for (String right : List.of("TRIGGER", "SHOW VIEW")) {
            if (grants.stream().noneMatch(grant -> gives(grant, right, name))) {
                missing.add(right);
            }
        }
        if (grants.stream().noneMatch(grant -> READS_ROUTINES.matcher(grant).find())) {
            missing.add("SHOW_ROUTINE (on MariaDB SELECT on mysql.proc)");
        }
        if (!missing.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    column + " is read by a user without the rights " + String.join(", ", missing)
                            + ", so triggers, views or routines, also later ones, may be hidden. What they write"
                            + UNSEEN
                            + "Grant the rights.");
        }
    }

    /** Every user has all rights on some test schemas, and the schema in a grant may be a pattern. */
    private static boolean gives(String grant, String right, CatalogName name) {
        Matcher parts = GRANT.matcher(grant);
        return parts.matches()
                && (parts.group(1).contains(right) || parts.group(1).contains("ALL PRIVILEGES"))
                && isPattern(parts.group(2), String.valueOf(name.catalog()))
                && isPattern(parts.group(3), name.table());
    }

    private static boolean isPattern(String pattern, String name) {
        String regex = Pattern.quote(pattern.replace("\\", ""))
                .replace("*", "\\E.*\\Q")
                .replace("%", "\\E.*\\Q");
        return name.toUpperCase(Locale.ROOT).matches(regex);
    }

    private static List<String> triggers(CatalogName name, Database database, Connection connection)
            throws SQLException {
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(TRIGGERS)) {
            statement.setString(1, name.schema());
            statement.setString(2, name.catalog());
            statement.setString(3, name.table());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        if (database == Database.MYSQL) {
            found.addAll(naming(name, OTHER_TRIGGERS, connection));
        }
        return found.stream().distinct().sorted().toList();
    }

    private static List<String> views(CatalogName name, Connection connection) throws SQLException {
        return naming(name, VIEWS, connection);
    }

    /** Those whose second column names the table as a word. */
    private static List<String> naming(CatalogName name, String sql, Connection connection) throws SQLException {
        Pattern word = Pattern.compile("\\b" + Pattern.quote(name.table()) + "\\b", Pattern.CASE_INSENSITIVE);
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, '%' + name.table().toLowerCase(Locale.ROOT) + '%');
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (word.matcher(rows.getString(2)).find()) {
                        found.add(rows.getString(1));
                    }
                }
            }
        }
        return found;
    }

    private static List<String> cascades(CatalogName name, Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet keys = connection.getMetaData().getImportedKeys(name.catalog(), name.schema(), name.table())) {
            while (keys.next()) {
                short onUpdate = keys.getShort("UPDATE_RULE");
                short onDelete = keys.getShort("DELETE_RULE");
                boolean changes = onUpdate == DatabaseMetaData.importedKeyCascade
                        || onUpdate == DatabaseMetaData.importedKeySetDefault
                        || onDelete == DatabaseMetaData.importedKeySetDefault;
                if (changes && name.column().equals(keys.getString("FKCOLUMN_NAME"))) {
                    found.add(String.valueOf(keys.getString("FK_NAME")));
                }
            }
        }
        return found;
    }
}

package io.github.untaken.jdbc.catalog;

import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the catalog of one database is looked at. Thread-safe. */
interface Looks {
    Pattern PLAIN_TEXT = Pattern.compile("'[^'\\\\]*'");

    /**
     * One look, under autocommit, with a few statements that wait for no table lock.
     *
     * @param tables spelled and quoted as SQL wants it
     * @throws SQLException if anything of it could not be read
     */
    Fingerprint look(List<String> tables, Connection connection) throws SQLException;

    /** Whether other processes are connected, if the database tells without a mark. One statement that waits for nothing. */
    default Standing standing(Connection connection) throws SQLException {
        return Standing.UNKNOWN;
    }

    /** This application has defined data: the next look also reads what others skip. Does not ask the database. */
    default void defined() {}

    /** The value of a default that is one quoted text, without anything in it that could mean something else. */
    static Optional<String> plainText(@Nullable String expression) {
        return Optional.ofNullable(expression)
                .map(String::strip)
                .filter(text -> PLAIN_TEXT.matcher(text).matches())
                .map(text -> text.substring(1, text.length() - 1));
    }

    /** Texts by names, from the first two columns. Texts of one name are concatenated; one that may not be read is empty. */
    static Map<String, String> texts(String sql, Connection connection) throws SQLException {
        Map<String, String> texts = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String text = rows.getString(2);
                texts.merge(rows.getString(1), text == null ? "" : text, String::concat);
            }
        }
        return texts;
    }
}

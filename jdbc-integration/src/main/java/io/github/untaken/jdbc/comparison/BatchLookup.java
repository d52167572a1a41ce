package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Many {@link Lookup lookups} in one statement. Where the database knows arrays, its text is the same for any number of them. Each row of
 * the answer has a place among the values, from 1, and the answer that a lookup of the value there would give.
 *
 * @param type of the array's values; null if each value is bound to parameters of its own
 * @param parameters how many those are
 */
public record BatchLookup(String sql, @Nullable String type, List<String> values, int parameters) {

    static BatchLookup ofArray(String sql, String type, List<String> values) {
        return new BatchLookup(sql, type, values, 1);
    }

    /** @param parameters how many each value is bound to, one value after the other */
    static BatchLookup ofParameters(String sql, List<String> values, int parameters) {
        return new BatchLookup(sql, null, values, parameters);
    }

    public void bind(PreparedStatement statement, Connection connection) throws SQLException {
        if (type != null) {
            statement.setArray(1, connection.createArrayOf(type, values.toArray()));
            return;
        }
        for (int i = 0; i < values.size() * parameters; i++) {
            statement.setString(i + 1, values.get(i / parameters));
        }
    }

    public List<Presence> answers(PreparedStatement statement) throws SQLException {
        List<Presence> found = new ArrayList<>(Collections.nCopies(values.size(), Presence.ABSENT));
        int answered = 0;
        try (ResultSet rows = statement.executeQuery()) {
            for (; rows.next(); answered++) {
                found.set(rows.getInt(1) - 1, Lookup.presence(rows.getInt(2)));
            }
        }
        if (answered != values.size()) {
            throw new SQLException(values.size() + " lookups were answered by " + answered + " rows");
        }
        return found;
    }
}

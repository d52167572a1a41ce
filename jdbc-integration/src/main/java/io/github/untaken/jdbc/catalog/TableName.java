package io.github.untaken.jdbc.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A table under the names that the catalog has for it. */
public record TableName(@Nullable String catalog, @Nullable String schema, String table) {

    /** Finds the names of what is spelled as SQL wants it. */
    public interface Finder {
        /** A schema that is not given is that of the connection. */
        TableName of(String expression, Connection connection) throws SQLException;
    }
}

package io.github.untaken.jdbc.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A table under its names in the catalog. */
public record TableName(@Nullable String catalog, @Nullable String schema, String table) {

    /** Finds the catalog's names for a table spelled as SQL wants it. */
    public interface Finder {
        /** A missing schema is that of the connection. */
        TableName of(String expression, Connection connection) throws SQLException;
    }
}

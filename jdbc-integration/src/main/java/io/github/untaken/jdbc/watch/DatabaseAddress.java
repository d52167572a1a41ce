package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection leads, by its URL, which drivers know without asking the server. Two addresses of one host count as two: nothing here
 * shows that they lead to one database. Immutable.
 *
 * @param url without its settings
 */
public record DatabaseAddress(String url) {

    /** Null if the driver does not say. */
    public static @Nullable DatabaseAddress of(Connection connection) {
        try {
            String url = connection.getMetaData().getURL();
            return url == null
                    ? null
                    : new DatabaseAddress(url.split("[?;]", 2)[0]
                            .replace("//127.0.0.1", "//localhost")
                            .replace("//[::1]", "//localhost"));
        } catch (SQLException | RuntimeException e) {
            return null;
        }
    }

    /** For messages: leaves out what may hold a password. */
    @Override
    public String toString() {
        return url.contains("@") ? url.replaceFirst("^(\\w+:\\w+:).*@", "$1..@") : url;
    }
}

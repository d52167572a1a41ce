package io.github.untaken.spring.boot.reserved;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.ResourceLoader;

/** Where reserved names stand: a file or a table. */
interface ReservedNameSource {

    /** The property that names it. */
    String property();

    /** What to do if it cannot be read at the start. */
    String advice();

    /** All names, as they are now. */
    Set<String> read() throws IOException, SQLException;

    /** A name in each line; empty lines and lines that begin with {@code #} count for nothing. */
    record File(String property, String location, ResourceLoader resources) implements ReservedNameSource {
        @Override
        public String advice() {
            return "Name a resource such as 'file:/etc/names.txt' or 'classpath:names.txt', in UTF-8 with a name in each"
                    + " line; or 'defaults', or 'none'.";
        }

        @Override
        public Set<String> read() throws IOException {
            return resources
                    .getResource(location)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(Collectors.toSet());
        }
    }

    /** The first column of a query; nulls and empty texts count for nothing. */
    record Query(String property, String sql, ObjectProvider<DataSource> databases) implements ReservedNameSource {
        private static final int TIMEOUT_SECONDS = 30;

        @Override
        public String advice() {
            return "Write a query that gives the names in its first column, such as 'select name from"
                    + " reserved_name', on a table that exists when the application starts.";
        }

        @Override
        public Set<String> read() throws SQLException {
            DataSource database = databases.getIfUnique();
            if (database == null) {
                throw new SQLException("there is no single or primary DataSource bean", "08001");
            }
            Set<String> names = new HashSet<>();
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(TIMEOUT_SECONDS);
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (rows.next()) {
                        String name = rows.getString(1);
                        if (name != null && !name.isBlank()) {
                            names.add(name.strip());
                        }
                    }
                }
            }
            return names;
        }
    }
}

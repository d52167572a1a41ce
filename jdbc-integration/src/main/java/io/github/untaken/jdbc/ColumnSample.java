package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Takes a few rows out of a table without reading all of it. */
interface ColumnSample {

    /** Values of at most {@code count} rows, none twice; nulls are left out. */
    List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException;

    static ColumnSample of(IdentifierColumn column, FreshReads reads) {
        IdentifierColumn.Key key = column.key();
        ColumnSample jumps = key == null ? (count, random, connection) -> List.of() : new KeyJumps(column, key, reads);
        return reads.database() == Database.POSTGRESQL ? new PostgreSqlPages(column, jumps) : jumps;
    }

    /**
     * Some rows of some pages of the table. PostgreSQL takes samples of tables only: a view is left to the other way.
     */
    final class PostgreSqlPages implements ColumnSample {
        private static final String SIZE = "select c.relkind in ('r', 'm', 'p'), (case c.relkind when 'p'"
                + " then (select coalesce(sum(pg_relation_size(p.relid)), 0) from pg_partition_tree(c.oid) p)"
                + " else pg_relation_size(c.oid) end / current_setting('block_size')::int)::bigint"
                + " from pg_catalog.pg_class c where c.oid = ?::regclass";

        private static final int FEWEST_PAGES = 8;
        private static final int MOST_PAGES = 72;
        /** More than that many pages can hold. The limit is for children of the table, which its size leaves out. */
        private static final int MOST_ROWS = 20_000;

        private final IdentifierColumn column;
        private final ColumnSample otherwise;

        PostgreSqlPages(IdentifierColumn column, ColumnSample otherwise) {
            this.column = column;
            this.otherwise = otherwise;
        }

        @Override
        public List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException {
            long pages;
            try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
                statement.setString(1, column.table());
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next() || !row.getBoolean(1)) {
                        return otherwise.take(count, random, connection);
                    }
                    pages = row.getLong(2);
                }
            }
            double wanted = Math.min(MOST_PAGES, FEWEST_PAGES + (double) count);
            return rows(count, wanted < pages ? 100 * wanted / pages : 100, random, connection);
        }

        private List<String> rows(int count, double percent, RandomGenerator random, Connection connection)
                throws SQLException {
            String sql = "select v from (select " + column.column() + " as v from " + column.table()
                    + " tablesample system (?) repeatable (?) limit " + MOST_ROWS
                    + ") s where v is not null order by random() limit ?";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setFloat(1, (float) percent);
                statement.setDouble(2, random.nextDouble());
                statement.setInt(3, count);
                List<String> values = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        String value = StoredText.of(rows);
                        if (value != null) {
                            values.add(value);
                        }
                    }
                }
                return values;
            }
        }
    }
}

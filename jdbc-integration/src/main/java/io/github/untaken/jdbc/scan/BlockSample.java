package io.github.untaken.jdbc.scan;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Rows of some PostgreSQL blocks: some at random, and the newest, where a table grows. For a table with partitions or children, the same
 * blocks of each; a view has no blocks.
 */
final class BlockSample implements ColumnSample {
    private static final String SIZE = "with recursive part(id) as (select ?::regclass::oid"
            + " union select i.inhrelid from pg_catalog.pg_inherits i join part p on i.inhparent = p.id)"
            + " select count(*), bool_and(c.relkind in ('r', 'm', 'p')),"
            + " coalesce(max(case when c.relkind <> 'p' then pg_relation_size(c.oid) end), 0)"
            + " / current_setting('block_size')::bigint"
            + " from part join pg_catalog.pg_class c on c.oid = part.id";

    private final IdentifierColumn column;

    BlockSample(IdentifierColumn column) {
        this.column = column;
    }

    @Override
    public List<String> take(int count, RandomGenerator random, Connection connection) throws SQLException {
        List<String> values = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
            statement.setString(1, column.table());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long blocks = row.getLong(3);
                if (row.getBoolean(2) && blocks > 0) {
                    long members = row.getLong(1);
                    int jumps = (int) Math.max(2, Math.min(MOST_JUMPS, 4 * MOST_JUMPS / members));
                    Set<Long> taken = new HashSet<>(Set.of(blocks - 1));
                    for (int i = 1; i < jumps; i++) {
                        taken.add(random.nextLong(blocks));
                    }
                    for (long block : taken) {
                        addBlock(block, (count + taken.size() - 1) / taken.size(), values, connection);
                    }
                }
            }
        }
        return ColumnSample.some(values, count, random);
    }

    private void addBlock(long block, int rows, List<String> values, Connection connection) throws SQLException {
        String sql =
                "select " + column.column() + " from " + column.table() + " where ctid >= ?::tid and ctid < ?::tid and "
                        + column.column() + " is not null order by random() limit ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, "(" + block + ",0)");
            statement.setString(2, "(" + (block + 1) + ",0)");
            statement.setInt(3, rows);
            ColumnSample.add(statement, values);
        }
    }
}

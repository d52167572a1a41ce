package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * On MariaDB and MySQL the collation of a column decides alone which values are equal, in each of its indexes too.
 *
 * <p>Each answer also says whether it can be believed: not from a replica, and not if it was read under autocommit in a transaction
 * that a text of SQL had begun, or under READ UNCOMMITTED; under any other isolation a question is then a transaction of its own,
 * which locks nothing and sees all that is committed. MySQL does not tell of such a transaction, so there no question asked under autocommit is
 * believed, and the next brings a transaction of its own.
 */
final class MySqlComparison implements BatchComparison {
    private final IdentifierColumn column;
    private volatile @Nullable MySqlColumn known;

    MySqlComparison(IdentifierColumn column) {
        this.column = column;
    }

    /** As the catalog has it now. */
    MySqlColumn describedAnew(Connection connection) throws SQLException {
        MySqlColumn described = MySqlColumn.of(column, connection);
        known = described;
        return described;
    }

    private MySqlColumn described(Connection connection) throws SQLException {
        MySqlColumn described = known;
        return described != null ? described : describedAnew(connection);
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        MySqlColumn described = describedAnew(connection);
        return new ColumnDescription(column.toString(), described.unique(), described.toString());
    }

    @Override
    public Optional<String> advice(Connection connection) {
        return SaidComparison.leftOut(column);
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        return new Lookup("select " + answer(described(connection), connection), key, 1, true);
    }

    @Override
    public BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException {
        String answer = answer(described(connection), connection);
        String sql = IntStream.rangeClosed(1, keys.size())
                .mapToObj(place -> "select " + place + ", " + answer)
                .collect(Collectors.joining(" union all "));
        return new BatchLookup(sql, null, keys);
    }

    private String answer(MySqlColumn described, Connection connection) throws SQLException {
        String alone = described.mariaDb() ? "(@@in_transaction or @@tx_isolation = 'READ-UNCOMMITTED')" : "true";
        // MySQL's driver says that autocommit is on although a text has turned it off.
        String isolation = connection.getAutoCommit() ? "not @@autocommit or " + alone : "@@autocommit and " + alone;
        return "case when " + Database.MYSQL_FOLLOWS + " then "
                + Lookup.NOT_THE_PRIMARY
                + (described.galera() ? " when @@wsrep_sync_wait & 1 = 0 then " + Lookup.NOT_CAUSAL : "")
                + " when " + isolation + " then " + Lookup.NOT_READ_COMMITTED
                + " when exists (select 1 from " + column.table() + " where " + column.column() + " = "
                + described.compared("?") + ") then " + Lookup.FOUND + " else " + Lookup.ABSENT + " end";
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        MySqlColumn described = describedAnew(connection);
        String row = "select ? i, convert(? using utf8mb4) l, convert(? using utf8mb4) r";
        String values = String.join(" union all ", Collections.nCopies(pairs.size(), row));
        try (PreparedStatement statement = connection.prepareStatement(
                "select p.i, " + equality(described) + " from (" + values + ") p order by p.i")) {
            int index = 1;
            for (int i = 0; i < pairs.size(); i++) {
                statement.setInt(index++, i);
                statement.setString(index++, pairs.get(i).left());
                statement.setString(index++, pairs.get(i).right());
            }
            List<Boolean> equal = new ArrayList<>(pairs.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    equal.add(rows.getBoolean(2));
                }
            }
            return equal;
        }
    }

    /** What the character set lacks cannot be stored, and is equal to nothing. */
    private static String equality(MySqlColumn described) {
        String equal = converted("p.l", described) + " = " + converted("p.r", described);
        return described.holdsAll() ? equal : equal + isStorable("p.l", described) + isStorable("p.r", described);
    }

    private static String converted(String value, MySqlColumn described) {
        return "convert(" + value + " using " + described.charset() + ") collate " + described.collation();
    }

    private static String isStorable(String value, MySqlColumn described) {
        return " and cast(convert(convert(" + value + " using " + described.charset()
                + ") using utf8mb4) as binary) = cast(" + value + " as binary)";
    }
}

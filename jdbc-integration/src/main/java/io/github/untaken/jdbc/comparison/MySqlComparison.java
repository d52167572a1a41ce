package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.RowCondition;
import io.github.untaken.jdbc.comparison.MySqlColumn.Way;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * On MariaDB and MySQL the collation of a column decides which values are equal, in each of its indexes too. So does the collation of a
 * column generated from it.
 *
 * <p>Each answer also says whether it can be believed. It cannot if it comes from a replica, if it was read under autocommit in a
 * transaction that SQL text had begun, or under READ UNCOMMITTED. Under any other isolation, a question under autocommit is a transaction
 * of its own, which locks nothing and sees all that is committed. MySQL does not show a transaction begun by text, so there it is ended
 * first.
 */
public final class MySqlComparison implements BatchComparison {
    private final IdentifierColumn column;
    private volatile @Nullable MySqlColumn known;

    public MySqlComparison(IdentifierColumn column) {
        this.column = column;
    }

    /** As the catalog has it now. */
    MySqlColumn describedAnew(Connection connection) throws SQLException {
        RowCondition.tryOut(column, connection);
        MySqlColumn described = MySqlColumn.of(column, connection);
        known = described;
        return described;
    }

    private MySqlColumn described(Connection connection) throws SQLException {
        MySqlColumn described = known;
        return described != null ? described : describedAnew(connection);
    }

    @Override
    public void forget() {
        known = null;
    }

    @Override
    public ColumnDescription describe(Connection connection) throws SQLException {
        MySqlColumn described = describedAnew(connection);
        return new ColumnDescription(
                column.toString(),
                described.isUnique(),
                described.toString(),
                described.isExact() ? "" : Database.version(connection) + ", " + described.compared());
    }

    @Override
    public Optional<String> advice(Connection connection) throws SQLException {
        MySqlColumn of = described(connection);
        if (column.where() != null && of.refusesAllRows()) {
            return Optional.of(RowCondition.leftOut(column, RowCondition.LIVE));
        }
        Way said = of.said();
        if (said == null) {
            return Optional.empty();
        }
        if (!said.unique() && column.comparedColumn().isPresent()) {
            return Optional.of(SaidComparison.unserved(
                    column,
                    "create unique index " + of.name().column() + "_unique on " + column.table() + " (" + said.rows()
                            + ")"));
        }
        String key = MySqlColumn.quoted(of.name().column() + "_key");
        String remedy = "alter table " + column.table() + " add column " + key + " varchar("
                + of.text().length() + ") generated always as (%s), add unique (" + key
                + "), and name that column instead";
        if (!said.unique()) {
            return Optional.of(SaidComparison.unserved(column, remedy.formatted(said.formula())));
        }
        return heldEqual(SaidComparison.LETTERS, connection).contains(false)
                ? Optional.of(SaidComparison.foldsNoCase(column, remedy.formatted("lower(" + column.column() + ")")))
                : Optional.empty();
    }

    @Override
    public Lookup lookup(String key, Connection connection) throws SQLException {
        MySqlColumn described = described(connection);
        endWhatATextHasBegun(described, connection);
        List<String> branches = branches(described);
        return new Lookup("select " + answer(described, branches, connection), key, branches.size(), true);
    }

    @Override
    public BatchLookup lookupEach(List<String> keys, Connection connection) throws SQLException {
        MySqlColumn described = described(connection);
        endWhatATextHasBegun(described, connection);
        List<String> branches = branches(described);
        String answer = answer(described, branches, connection);
        String sql = IntStream.rangeClosed(1, keys.size())
                .mapToObj(place -> "select " + place + ", " + answer)
                .collect(Collectors.joining(" union all "));
        return BatchLookup.ofParameters(sql, keys, branches.size());
    }

    private static String answer(MySqlColumn described, List<String> branches, Connection connection)
            throws SQLException {
        boolean alone = connection.getAutoCommit();
        String disbelieved = described.server().mariaDb()
                ? "(@@in_transaction or @@tx_isolation = 'READ-UNCOMMITTED')"
                : alone ? "@@transaction_isolation = 'READ-UNCOMMITTED'" : "true";
        // MySQL's driver reports that autocommit is on even if SQL text has turned it off.
        String isolation = (alone ? "not @@autocommit or " : "@@autocommit and ") + disbelieved;
        return "case when " + Database.MYSQL_FOLLOWS + " then "
                + Lookup.NOT_THE_PRIMARY
                + (described.server().galera() ? " when @@wsrep_sync_wait & 1 = 0 then " + Lookup.NOT_CAUSAL : "")
                + " when " + isolation + " then " + Lookup.NOT_READ_COMMITTED + String.join("", branches)
                + " else " + Lookup.ABSENT + " end";
    }

    /**
     * Needed where the server does not show such a transaction. It takes SQL text too, since a driver refuses to roll back under
     * autocommit. The session may be set to begin another transaction, or to close the connection.
     */
    private static void endWhatATextHasBegun(MySqlColumn described, Connection connection) throws SQLException {
        if (described.server().mariaDb() || !connection.getAutoCommit()) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback and no chain no release");
        }
    }

    /** Each way is asked for separately, so that its own index finds it. Each branch has one parameter. */
    private List<String> branches(MySqlColumn described) {
        String bare = column.column() + " = " + described.compared("?");
        if (column.where() != null && !described.refusesAllRows()) {
            List<String> conditions = new ArrayList<>(List.of(bare));
            described.ways().forEach(way -> conditions.add(way.rows() + " = " + described.computedOf("?", way)));
            return Stream.concat(
                            conditions.stream().map(each -> found(each + " and (" + column.where() + ")")),
                            conditions.stream().map(each -> found(each, Lookup.UNCOUNTED)))
                    .toList();
        }
        String plain = found(bare);
        Optional<Way> stands = described.standsForAll();
        List<String> branches = new ArrayList<>();
        if (stands.isEmpty()) {
            branches.add(plain);
        }
        described.ways().forEach(way -> branches.add(found(way.rows() + " = " + described.computedOf("?", way))));
        if (stands.isPresent()) {
            branches.add(" when " + described.computedOf("?", stands.get()) + " is not null then " + Lookup.ABSENT);
            branches.add(plain);
        }
        return branches;
    }

    private String found(String condition) {
        return found(condition, Lookup.FOUND);
    }

    private String found(String condition, int answer) {
        return " when exists (select 1 from " + column.table() + " where " + condition + ") then " + answer;
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs, Connection connection) throws SQLException {
        MySqlColumn described = describedAnew(connection);
        List<String> texts = pairs.stream()
                .flatMap(pair -> Stream.of(pair.left(), pair.right()))
                .toList();
        StringBuilder computed = new StringBuilder();
        StringBuilder equality = new StringBuilder();
        for (int i = 0; i < described.ways().size(); i++) {
            String way = "untaken_way" + i;
            computed.append(", ")
                    .append(described.ways().get(i).formula())
                    .append(" as ")
                    .append(way);
            equality.append(" or ").append(isOne(way));
        }
        String plain = isOne("untaken_value");
        String instead = described
                .standsForAll()
                .map(way -> "count(untaken_way" + described.ways().indexOf(way) + ") = 0 and ")
                .orElse("");
        String sql = "select untaken_place div 2, (" + instead + plain + equality + ")" + areStorable(described)
                + " from (select untaken_place, untaken_text, " + described.quoted()
                + " as untaken_value" + computed + " from " + described.numbered(texts.size())
                + MySqlColumn.BY_ITSELF + ") untaken_computed group by 1 order by 1";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            MySqlColumn.bindNumbered(texts, statement);
            List<Boolean> equal = new ArrayList<>(pairs.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    equal.add(rows.getBoolean(2));
                }
            }
            return equal;
        }
    }

    @Override
    public List<List<Integer>> heldEqualAmong(List<String> values, Connection connection) throws SQLException {
        MySqlColumn described = describedAnew(connection);
        String texts = JsonTexts.array(values);
        List<List<Integer>> groups = new ArrayList<>();
        for (String sql : described.rankings()) {
            groups.addAll(
                    RankedPlaces.read(sql, values.size(), connection, statement -> statement.setString(1, texts)));
        }
        return groups;
    }

    private static String isOne(String computed) {
        return "min(" + computed + ") = max(" + computed + ") and count(" + computed + ") = 2";
    }

    /** What the character set lacks cannot be stored, and is equal to nothing. */
    private static String areStorable(MySqlColumn described) {
        return described.holdsAll()
                ? ""
                : " and min(cast(convert(untaken_value using utf8mb4) as binary) = cast(untaken_text as binary))";
    }
}

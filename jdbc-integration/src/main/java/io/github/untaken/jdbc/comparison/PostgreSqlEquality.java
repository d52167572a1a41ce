package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.column.RowCondition;
import io.github.untaken.jdbc.comparison.PostgreSqlColumn.Way;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When two values of a column are equal: if its own type and collation say so, or any unique index on it, or what an application says it is
 * compared as.
 */
final class PostgreSqlEquality {
    private static final Pattern INDEX_IN_PLAN = Pattern.compile("\"Index Name\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final String INDEX_CONDITION = "\"Index Cond\"";
    private static final String IS_UNIQUE = "select i.indisunique and i.indisvalid and i.indnkeyatts = 1"
            + " from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid"
            + " where i.indrelid = ?::bigint::oid and c.relname = ?";

    private final IdentifierColumn named;
    private final PostgreSqlColumn column;
    private final List<Way> indexed;
    private final @Nullable Way said;
    private final boolean exact;
    private final boolean inOthers; // whether other unique indexes involve the column

    private PostgreSqlEquality(
            IdentifierColumn named,
            PostgreSqlColumn column,
            List<Way> indexed,
            @Nullable Way said,
            boolean exact,
            boolean inOthers) {
        this.named = named;
        this.column = column;
        this.indexed = indexed;
        this.said = said;
        this.exact = exact;
        this.inOthers = inOthers;
    }

    static PostgreSqlEquality of(IdentifierColumn named, Connection connection) throws SQLException {
        PostgreSqlColumn column = PostgreSqlColumn.of(named, connection);
        RowCondition.tryOut(named, connection);
        List<Way> indexed = column.uniqueWays(connection);
        return new PostgreSqlEquality(
                named,
                column,
                indexed,
                said(named, column, indexed, connection),
                column.isExact(connection),
                column.isInOthers(indexed, connection));
    }

    /** Null if nothing is said, or only what a unique index compares. */
    private static @Nullable Way said(
            IdentifierColumn named, PostgreSqlColumn column, List<Way> indexed, Connection connection)
            throws SQLException {
        Optional<String> expression = named.comparedExpression(column.name());
        if (expression.isPresent()) {
            try {
                return column.computed(expression.get(), connection);
            } catch (SQLException e) {
                throw new StoreException(SaidComparison.refused(named), e);
            }
        }
        Optional<String> generated = named.comparedColumn();
        if (generated.isEmpty()) {
            return null;
        }
        Way way = column.generated(generated.get(), connection);
        if (way == null) {
            throw new StoreException(SaidComparison.missing(named));
        }
        return indexed.stream().anyMatch(index -> index.rows().equals(way.rows())) ? null : way;
    }

    PostgreSqlColumn column() {
        return column;
    }

    List<Way> indexed() {
        return indexed;
    }

    /** Whether equal values are the same text, whatever compares them. */
    boolean isExact(Connection connection) throws SQLException {
        for (Way way : ways()) {
            if (way.computed() || !way.sameness().isDeterministic(connection)) {
                return false;
            }
        }
        return exact;
    }

    /** Whether a unique index covers all rows that count. */
    boolean isUnique() {
        return isUniqueForAll() || named.where() == null && countsSome();
    }

    /** Whether a unique index covers all rows. */
    boolean isUniqueForAll() {
        return indexed.stream().anyMatch(index -> !index.partial());
    }

    private List<Way> ways() {
        List<Way> ways = new ArrayList<>(indexed);
        if (said != null) {
            ways.add(said);
        }
        return ways;
    }

    /**
     * What to ask to find a value, and to learn whether a row that counts holds it. Each way is asked for separately, so that its own index
     * finds it. If the column has no unique index of its own, comparing it would read the whole table; then a unique index on something
     * computed from it has seen equal values too, unless that is null.
     *
     * @param value an expression
     */
    RowLooks looks(String value, Connection connection) throws SQLException {
        RowLooks looks = new RowLooks(named.table());
        String plain = column.name() + " " + column.sameness().operator() + " " + column.cast(value);
        List<Way> standing = standingFor(plain, value, connection);
        boolean covered = exact && !indexed.isEmpty() && !(isUniqueForAll() && standing.isEmpty());
        List<String> nulls = new ArrayList<>();
        for (Way way : standing) {
            if (way.computed()) {
                nulls.add("(" + column.of(value, way.formula(), connection) + ") is null");
            }
        }
        for (Way way : indexed) {
            String condition = condition(way, value, connection);
            if (!(condition.equals(plain) && covered && isUniqueForAll())) {
                looks.add(condition, way.rows(), counted(way));
            }
        }
        if (said != null) {
            looks.add(condition(said, value, connection), said.rows(), counted());
        }
        if (!covered) {
            looks.addFirst(plain, column.name(), counted());
        } else if (!nulls.isEmpty()) {
            looks.addSeldom(plain, nulls, counted());
        }
        return looks;
    }

    /**
     * The ways that find what the bare column would, where what they compute is not null: one that covers all rows, or else all there are,
     * since each row that counts is in one of them. None if the bare column is itself looked for in all rows.
     */
    private List<Way> standingFor(String plain, String value, Connection connection) throws SQLException {
        List<Way> others = new ArrayList<>();
        for (Way way : indexed) {
            boolean isPlain = condition(way, value, connection).equals(plain);
            if (isPlain && !way.partial()) {
                return List.of();
            }
            if (!isPlain && !(isUniqueForAll() && way.partial())) {
                others.add(way);
            }
        }
        return isUniqueForAll() ? others.subList(0, Math.min(1, others.size())) : others;
    }

    /** Which rows count where no index says so: those for which one of these conditions holds; an empty one always does. */
    private List<String> counted() {
        String where = named.where();
        if (isUniqueForAll() || where == null && !countsSome()) {
            return List.of(RowLooks.ALL);
        }
        return where != null
                ? List.of(where)
                : indexed.stream().map(Way::predicate).distinct().toList();
    }

    private List<String> counted(Way way) {
        String where = named.where();
        if (where != null && !isUniqueForAll()) {
            return List.of(way.predicate(), where);
        }
        return List.of(inOthers ? RowLooks.ALL : way.predicate());
    }

    /** Whether the unique indexes alone tell which rows count: each is on this column alone, and has a condition. */
    private boolean countsSome() {
        return !indexed.isEmpty() && !isUniqueForAll() && !inOthers;
    }

    /** What is looked for in all rows without an index, though a unique index covers some of them. */
    Optional<String> unindexed(Connection connection) throws SQLException {
        if (indexed.stream().anyMatch(Way::partial)) {
            for (RowLooks.Look look : looks("''", connection).uncounted()) {
                if (!plan(look.condition(), connection).contains(INDEX_CONDITION)) {
                    return Optional.of(look.rows());
                }
            }
        }
        return Optional.empty();
    }

    private String condition(Way way, String value, Connection connection) throws SQLException {
        PostgreSqlSameness by = way.sameness();
        String collate =
                way.computed() || by.collation() != column.sameness().collation() ? by.collate(connection) : "";
        return way.rows() + collate + " " + by.operator() + " "
                + (way.computed() ? "(" + column.of(value, way.formula(), connection) + ")" : column.cast(value));
    }

    /** The expressions compared, over a column of this name, one for each way. */
    Set<String> compared(Connection connection) throws SQLException {
        Set<String> compared = new LinkedHashSet<>();
        compared.add(column.sameness().compared(column.name(), connection));
        for (Way way : ways()) {
            compared.add(way.sameness().compared(way.formula(), connection));
        }
        return compared;
    }

    /** All that decides how two values compare, versions included. */
    String comparedBy(Connection connection) throws SQLException {
        StringBuilder text = new StringBuilder(column.type()).append(compared(connection));
        for (long collation : Stream.concat(
                        Stream.of(column.sameness()), ways().stream().map(Way::sameness))
                .map(PostgreSqlSameness::collation)
                .filter(oid -> oid != 0)
                .distinct()
                .toList()) {
            text.append(' ')
                    .append(PostgreSqlSameness.collation(collation, connection).version());
        }
        return text.toString();
    }

    /** Whether the two values of a group, in a column of this name, are equal; nulls never are. */
    String ofGroup(Connection connection) throws SQLException {
        List<String> ways = new ArrayList<>();
        ways.add(column.sameness().ofGroup(column.name(), connection));
        for (Way way : ways()) {
            String sameness = way.sameness().ofGroup(way.formula(), connection);
            if (!ways.contains(sameness)) {
                ways.add(sameness);
            }
        }
        return String.join(" or ", ways);
    }

    /** The same without what is said, if a unique index serves that. Changes the settings of the transaction. */
    PostgreSqlEquality withoutServed(Connection connection) throws SQLException {
        return said != null && isServed(said, connection)
                ? new PostgreSqlEquality(named, column, indexed, null, exact, inOthers)
                : this;
    }

    /** What is said, if no unique index serves it. */
    Optional<Way> unserved() {
        return Optional.ofNullable(said);
    }

    /** The planner knows which index finds an expression; one on some rows will do if no others count. */
    private boolean isServed(Way way, Connection connection) throws SQLException {
        String rule = counted().get(0);
        String plan = plan(RowLooks.among(condition(way, "''", connection), rule), connection);
        Matcher index = INDEX_IN_PLAN.matcher(plan);
        return plan.contains(INDEX_CONDITION) && index.find() && isUnique(index.group(1), connection);
    }

    /** An index is used wherever it can be. */
    private String plan(String condition, Connection connection) throws SQLException {
        try (PreparedStatement setting =
                connection.prepareStatement("select set_config('enable_seqscan', 'off', true)")) {
            setting.execute();
        }
        try (PreparedStatement statement = connection.prepareStatement(
                        "explain (format json) select from " + named.table() + " where " + condition);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    private boolean isUnique(String index, Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(IS_UNIQUE)) {
            statement.setLong(1, column.table());
            statement.setString(2, index);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }
}

package io.github.untaken.jdbc;

import io.github.untaken.jdbc.PostgreSqlColumn.Way;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When two values of a column are equal: if its own type and collation say so, or any unique index on it, or what an application
 * says that it is compared as.
 */
final class PostgreSqlEquality {
    private static final Pattern INDEX_IN_PLAN = Pattern.compile("\"Index Name\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final String IS_UNIQUE =
            "select i.indisunique and i.indisvalid and i.indpred is null and i.indnkeyatts = 1"
                    + " from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid"
                    + " where i.indrelid = ?::bigint::oid and c.relname = ?";

    private final IdentifierColumn named;
    private final PostgreSqlColumn column;
    private final List<Way> indexed;
    private final @Nullable Way said;
    private final boolean exact;

    private PostgreSqlEquality(
            IdentifierColumn named, PostgreSqlColumn column, List<Way> indexed, @Nullable Way said, boolean exact) {
        this.named = named;
        this.column = column;
        this.indexed = indexed;
        this.said = said;
        this.exact = exact;
    }

    static PostgreSqlEquality of(IdentifierColumn named, Connection connection) throws SQLException {
        PostgreSqlColumn column = PostgreSqlColumn.of(named, connection);
        List<Way> indexed = column.uniqueWays(connection);
        return new PostgreSqlEquality(
                named, column, indexed, said(named, column, indexed, connection), column.isExact(connection));
    }

    /** Null if nothing is said, or nothing else than what a unique index compares. */
    private static @Nullable Way said(
            IdentifierColumn named, PostgreSqlColumn column, List<Way> indexed, Connection connection)
            throws SQLException {
        Optional<String> expression = named.comparedExpression(column.name());
        if (expression.isPresent()) {
            try {
                return column.computed(expression.get(), connection);
            } catch (SQLException e) {
                throw new StoreException(
                        named + " is said to be compared as " + named.comparedAs()
                                + ", which the database refuses: it must be" + " an expression of that column alone",
                        e);
            }
        }
        Optional<String> generated = named.comparedColumn();
        if (generated.isEmpty()) {
            return null;
        }
        Way way = column.generated(generated.get(), connection);
        if (way == null) {
            throw new StoreException(named + " is said to be compared as " + generated.get()
                    + ", but its table has no generated column of"
                    + " that name: name one, or write an expression such as lower({column})");
        }
        return indexed.stream().anyMatch(index -> index.rows().equals(way.rows())) ? null : way;
    }

    PostgreSqlColumn column() {
        return column;
    }

    List<Way> indexed() {
        return indexed;
    }

    /** Whether a unique index holds all rows. */
    boolean isUnique() {
        return indexed.stream().anyMatch(index -> !index.partial());
    }

    private boolean isUniqueAsItIs() {
        return indexed.stream()
                .anyMatch(index -> !index.partial() && !index.computed() && index.collation() == column.collation());
    }

    private List<Way> ways() {
        List<Way> ways = new ArrayList<>(indexed);
        if (said != null) {
            ways.add(said);
        }
        return ways;
    }

    /** A condition, and whether it shows that a value is there, or that it is not. */
    record Branch(String condition, boolean found) {}

    /**
     * What to ask to find a value, in this order. Each way is asked for by itself, so that each is found by its own index. If the
     * column has no unique index as it is, comparing it would read the whole table; then a unique index on something computed of it
     * has seen equal values too, unless that is null.
     *
     * @param value an expression
     */
    List<Branch> branches(String value, Connection connection) throws SQLException {
        String plain = column.name() + " " + column.operator() + " " + column.cast(value);
        Map<String, Way> conditions = new LinkedHashMap<>();
        for (Way way : ways()) {
            conditions.putIfAbsent(condition(way, value, connection), way);
        }
        Way stands = conditions.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(plain))
                .map(Map.Entry::getValue)
                .filter(way -> exact && !way.partial() && indexed.contains(way))
                .findFirst()
                .orElse(null);
        conditions.remove(plain);
        List<Branch> branches = new ArrayList<>();
        conditions.keySet().forEach(condition -> branches.add(found(condition)));
        if (stands == null || isUniqueAsItIs()) {
            branches.add(0, found(plain));
        } else {
            branches.add(new Branch("(" + column.of(value, stands.formula(), connection) + ") is not null", false));
            branches.add(found(plain));
        }
        return branches;
    }

    private Branch found(String condition) {
        return new Branch("exists (select from " + named.table() + " where " + condition + ")", true);
    }

    private String condition(Way way, String value, Connection connection) throws SQLException {
        String collate = way.computed() || way.collation() != column.collation()
                ? PostgreSqlColumn.collate(way.collation(), connection)
                : "";
        return way.rows() + collate + " " + way.operator() + " "
                + (way.computed() ? "(" + column.of(value, way.formula(), connection) + ")" : column.cast(value));
    }

    /** What makes of a column of this name what is compared, once for each way. */
    Set<String> compared(Connection connection) throws SQLException {
        Set<String> compared = new LinkedHashSet<>();
        compared.add("(" + column.name() + ")" + PostgreSqlColumn.collate(column.collation(), connection));
        for (Way way : ways()) {
            compared.add("(" + way.formula() + ")" + PostgreSqlColumn.collate(way.collation(), connection));
        }
        return compared;
    }

    /** Whether the two values of a group, in a column of this name, are equal; nulls never are. */
    String ofGroup(Connection connection) throws SQLException {
        List<String> ways = new ArrayList<>();
        ways.add(sameness(column.name(), column.collation(), connection));
        for (Way way : ways()) {
            String sameness = sameness(way.formula(), way.collation(), connection);
            if (!ways.contains(sameness)) {
                ways.add(sameness);
            }
        }
        return String.join(" or ", ways);
    }

    private static String sameness(String formula, long collation, Connection connection) throws SQLException {
        String collate = PostgreSqlColumn.collate(collation, connection);
        String compared = collate.isEmpty() ? formula : "(" + formula + ")" + collate;
        return "count(distinct " + compared + ") = 1 and count(" + formula + ") = 2";
    }

    /** The same without what is said, if a unique index serves that. The settings of the transaction are changed. */
    PostgreSqlEquality withoutServed(Connection connection) throws SQLException {
        return said != null && isServed(said, connection)
                ? new PostgreSqlEquality(named, column, indexed, null, exact)
                : this;
    }

    /** What is said, if no unique index serves it. */
    Optional<Way> unserved() {
        return Optional.ofNullable(said);
    }

    /** The planner knows what index an expression is found by. */
    private boolean isServed(Way way, Connection connection) throws SQLException {
        try (PreparedStatement setting =
                connection.prepareStatement("select set_config('enable_seqscan', 'off', true)")) {
            setting.execute();
        }
        String plan;
        try (PreparedStatement statement = connection.prepareStatement("explain (format json) select from "
                        + named.table() + " where " + condition(way, "''", connection));
                ResultSet row = statement.executeQuery()) {
            row.next();
            plan = row.getString(1);
        }
        Matcher index = INDEX_IN_PLAN.matcher(plan);
        return plan.contains("\"Index Cond\"") && index.find() && isUnique(index.group(1), connection);
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

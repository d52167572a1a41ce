package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.column.CatalogName;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A column as H2's catalog describes it, and the ways besides its own type in which two of its values are equal: by a generated column with
 * a unique index, computed from this one alone, or as an application says.
 *
 * @param unique whether it has a unique index of its own
 * @param said which of the ways the application says; null if none
 */
record H2Column(
        CatalogName name,
        Type type,
        boolean unique,
        List<Way> ways,
        @Nullable Way said) {
    private static final String COLUMNS = "select COLUMN_NAME, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, COLLATION_NAME,"
            + " case when IS_GENERATED = 'ALWAYS' then GENERATION_EXPRESSION end from INFORMATION_SCHEMA.COLUMNS"
            + " where TABLE_SCHEMA = ? and TABLE_NAME = ?";

    /**
     * What is compared instead of the value.
     *
     * @param unique whether a unique index enforces it
     * @param exact whether a row is sure to hold what the formula says
     * @param rows what is compared of a row
     * @param formula computes the same from a column of this name
     */
    record Way(boolean unique, boolean exact, String rows, String formula) {}

    record Type(String name, long length, String collation) {
        private static final Set<String> TEXTS = Set.of("CHARACTER", "CHARACTER VARYING", "VARCHAR_IGNORECASE");
        private static final Set<String> BYTES = Set.of("BINARY", "BINARY VARYING");
        private static final int LONGEST = 1_000_000;

        /** Trailing blanks are no part of a CHAR. */
        boolean holds(String value) {
            int end = value.length();
            while (name.equals("CHARACTER") && end > 0 && value.charAt(end - 1) == ' ') {
                end--;
            }
            return end <= length;
        }

        /** A cast to the type would truncate what the column refuses. */
        Type longEnoughFor(String value) {
            return new Type(name, Math.max(length, value.length()), collation);
        }

        /** Whether equal values are the same text, so that whatever is computed from them is equal too. */
        boolean isExact() {
            return name.equals("CHARACTER VARYING") && collation.equals("OFF");
        }

        /** An expression that compares as values of this type do. */
        String compares(String expression) {
            if (TEXTS.contains(name)) {
                return "cast(" + expression + " as " + name + "(" + LONGEST + "))";
            }
            return BYTES.contains(name) ? "cast(" + expression + " as " + this + ")" : expression;
        }

        /** Whether a column of this type is sure to hold just that: numbers are rounded. */
        boolean isComparedExactly() {
            return TEXTS.contains(name) || BYTES.contains(name);
        }

        @Override
        public String toString() {
            return name + "(" + length + ")";
        }
    }

    /** Any column. */
    private record Listed(String name, Type type, @Nullable String formula) {}

    static H2Column of(IdentifierColumn column, Connection connection) throws SQLException {
        CatalogName name = CatalogName.of(column, connection);
        List<Listed> listed = listed(name, connection);
        Type type = listed.stream()
                .filter(each -> each.name().equals(name.column()))
                .findFirst()
                .orElseThrow(() -> new SQLException("H2 has no column " + column, "42S22"))
                .type();
        boolean unique = StandardComparison.isUnique(name, connection);
        List<Way> ways = new ArrayList<>();
        Way said = null;
        for (Listed each : listed) {
            String formula = each.formula();
            if (formula != null && !each.name().equals(name.column())) {
                boolean served = StandardComparison.isUnique(name.sibling(each.name()), connection);
                if ((served || isSaid(column, each)) && isComputedOf(name, type, formula, connection)) {
                    Way way = new Way(
                            served,
                            each.type().isComparedExactly(),
                            CatalogName.quoted(each.name()),
                            each.type().compares(formula));
                    ways.add(way);
                    said = isSaid(column, each) ? way : said;
                }
            }
        }
        if (column.comparedColumn().isPresent() && said == null) {
            throw new StoreException(SaidComparison.missing(column));
        }
        Optional<String> expression = column.comparedExpression(CatalogName.quoted(name.column()));
        if (expression.isPresent()) {
            said = said(column, name, type, expression.get(), connection);
            ways.add(said);
        }
        return new H2Column(name, type, unique, ways, said);
    }

    private static List<Listed> listed(CatalogName name, Connection connection) throws SQLException {
        List<Listed> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, name.schema());
            statement.setString(2, name.table());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String collation = Objects.requireNonNullElse(row.getString(4), "no collation");
                    listed.add(new Listed(
                            row.getString(1), new Type(row.getString(2), row.getLong(3), collation), row.getString(5)));
                }
            }
        }
        return listed;
    }

    private static boolean isSaid(IdentifierColumn column, Listed generated) {
        return column.comparedColumn()
                .filter(said -> CatalogName.withoutQuotes(said).equalsIgnoreCase(generated.name()))
                .isPresent();
    }

    private static Way said(
            IdentifierColumn column, CatalogName name, Type type, String expression, Connection connection) {
        if (!isComputedOf(name, type, expression, connection)) {
            throw new StoreException(SaidComparison.refused(column));
        }
        return new Way(false, false, "(" + expression + ")", expression);
    }

    private static boolean isComputedOf(CatalogName name, Type type, String formula, Connection connection) {
        String sql = "select " + formula + " from (values (cast(null as " + type + "))) p("
                + CatalogName.quoted(name.column()) + ")";
        try (PreparedStatement understood = connection.prepareStatement(sql)) {
            return understood.getMetaData() != null;
        } catch (SQLException e) {
            return false;
        }
    }

    /**
     * What follows FROM in a query with one row for each row of another: its number {@code untaken_place}, the value itself
     * {@code untaken_value}, and what each way makes of it, {@code untaken_way0} and so on. Only this way may the formulas name the column
     * in a query that also reads the table.
     *
     * @param numbered a query for numbers and values of this type
     */
    String computedOf(String numbered) {
        String own = CatalogName.quoted(name.column());
        StringBuilder sql =
                new StringBuilder("(select untaken_place, ").append(own).append(" as untaken_value");
        for (int i = 0; i < ways.size(); i++) {
            sql.append(", ")
                    .append(ways.get(i).formula())
                    .append(" as untaken_way")
                    .append(i);
        }
        return sql.append(" from (")
                .append(numbered)
                .append(") p(untaken_place, ")
                .append(own)
                .append(")) untaken_asked")
                .toString();
    }

    /** Whether equal values are the same text, whatever compares them. */
    boolean isExact() {
        return type.isExact() && ways.isEmpty();
    }

    /** Whether a unique index covers all rows. */
    boolean isUnique() {
        return unique || ways.stream().anyMatch(Way::unique);
    }

    /**
     * Which way stands for all. If the column has no unique index of its own, comparing it would read the whole table. A unique index on
     * something computed from it has seen equal values too, unless that is null or not known exactly.
     */
    OptionalInt standsForAll() {
        return unique || !type.isExact()
                ? OptionalInt.empty()
                : IntStream.range(0, ways.size())
                        .filter(i -> ways.get(i).unique() && ways.get(i).exact())
                        .findFirst();
    }
}

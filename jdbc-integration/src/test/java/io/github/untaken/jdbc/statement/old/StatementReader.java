package io.github.untaken.jdbc.statement.old;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.old.AssignedValues.Assignment;
import io.github.untaken.jdbc.statement.old.SqlTokens.Reading;
import io.github.untaken.jdbc.statement.old.SqlTokens.Token;
import io.github.untaken.jdbc.statement.old.SqlTokens.TokenType;
import io.github.untaken.jdbc.statement.old.StatementReading.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds in texts of SQL where the values are that they write into the watched columns. It remembers {@link KnownTexts some}.
 * Thread-safe; asks no database.
 *
 * <p>Found is a plain text or a bare parameter in an INSERT with a list of columns and rows of VALUES, or in an UPDATE of one table.
 * Whatever else may write a watched column is unseen: no list of columns, a query, {@code on duplicate key}, a function around the
 * value, several statements in one text.
 */
public final class StatementReader {
    private final WatchedTables tables;
    private final KnownTexts<StatementReading> known = new KnownTexts<>();

    public StatementReader(WatchedTables tables) {
        this.tables = tables;
    }

    /** What a text writes. One that is not understood may write anything; none makes this fail. */
    public StatementReading read(String sql) {
        return known.of(sql, this::readAnew);
    }

    private StatementReading readAnew(String sql) {
        try {
            return readText(sql);
        } catch (RuntimeException e) {
            return anything();
        }
    }

    /** What a text writes that nobody has seen. */
    public StatementReading anything() {
        return unseen(tables.anything());
    }

    private static StatementReading unseen(Judgement judgement) {
        return new StatementReading(judgement, List.of(), judgement.kinds(), Set.of());
    }

    private StatementReading readText(String sql) {
        if (StatementVerbs.isPlainRead(sql)) {
            return StatementReading.NOTHING;
        }
        Judgement judgement = tables.judge(sql);
        if (judgement.kinds().isEmpty()) {
            return movesElsewhere(sql)
                    ? unseen(judgement.writing(tables.kinds()))
                    : new StatementReading(judgement, List.of(), Set.of(), Set.of());
        }
        List<Token> statement = onlyStatement(sql);
        List<Assignment> assignments =
                statement == null || judgement.mistrusted() ? null : AssignedValues.of(statement);
        Token target = statement == null ? null : PlainStatements.target(statement);
        return assignments == null || target == null ? unseen(judgement) : found(judgement, target, assignments);
    }

    /** From then on a table's bare name may mean another table. */
    private static boolean movesElsewhere(String sql) {
        List<Token> statement = onlyStatement(sql);
        if (statement == null || statement.isEmpty()) {
            return false;
        }
        return statement.get(0).isWord("use")
                || statement.get(0).isWord("set")
                        && statement.stream()
                                .anyMatch(token -> token.isWord("search_path")
                                        || token.isWord("schema")
                                        || token.isWord("current_schema")
                                        || token.isWord("catalog"));
    }

    /** Null if there is not exactly one, or if databases differ in how they read it. */
    private static @Nullable List<Token> onlyStatement(String sql) {
        List<Token> tokens = SqlTokens.read(sql, Reading.STANDARD);
        if (tokens == null || !tokens.equals(SqlTokens.read(sql, Reading.MYSQL))) {
            return null;
        }
        int end = tokens.size();
        while (end > 0 && tokens.get(end - 1).isMark(';')) {
            end--;
        }
        List<Token> statement = tokens.subList(0, end);
        return statement.stream().anyMatch(token -> token.isMark(';')) ? null : statement;
    }

    private StatementReading found(Judgement judgement, Token target, List<Assignment> assignments) {
        List<Value> values = new ArrayList<>();
        Set<IdentifierKind> unseen = new HashSet<>();
        Set<IdentifierColumn> omitted = new HashSet<>(judgement.omitted());
        for (IdentifierColumn column : judgement.columns()) {
            Set<IdentifierKind> kinds = tables.kindsIn(Set.of(column));
            if (!target.text().equalsIgnoreCase(WatchedTables.bareName(column.table()))) {
                unseen.addAll(kinds);
                continue;
            }
            boolean exactly = false;
            for (Assignment assignment : assignments) {
                if (isOf(assignment.column(), column)) {
                    exactly |= isCertainlyOf(assignment.column(), column);
                    if (assignment.isWord("default")) {
                        omitted.add(column);
                    } else if (!assignment.isWord("null") && !find(assignment, kinds, values)) {
                        unseen.addAll(kinds);
                    }
                }
            }
            if (!exactly) {
                omitted.add(column);
            }
        }
        Set<IdentifierColumn> told = new HashSet<>(judgement.columns());
        told.addAll(omitted);
        Set<IdentifierKind> untold = new HashSet<>(judgement.kinds());
        untold.removeAll(tables.kindsIn(told));
        unseen.addAll(untold); // its rows move
        return new StatementReading(judgement, List.copyOf(values), Set.copyOf(unseen), Set.copyOf(omitted));
    }

    private static boolean find(Assignment assignment, Set<IdentifierKind> kinds, List<Value> values) {
        if (!assignment.isParameter() && !assignment.isText()) {
            return false;
        }
        for (IdentifierKind kind : kinds) {
            values.add(
                    assignment.isParameter()
                            ? new Value(kind, assignment.parameter(), null)
                            : new Value(kind, 0, assignment.text()));
        }
        return true;
    }

    private static boolean isOf(Token name, IdentifierColumn column) {
        return name.text().equalsIgnoreCase(WatchedTables.bareName(column.column()));
    }

    /** In quotes, another case is another column to some databases. */
    private static boolean isCertainlyOf(Token name, IdentifierColumn column) {
        return name.type() == TokenType.WORD || name.text().equals(WatchedTables.bareName(column.column()));
    }
}

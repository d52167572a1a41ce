package io.github.untaken.jdbc.statement.old;

import io.github.untaken.jdbc.statement.old.SqlTokens.Token;
import io.github.untaken.jdbc.statement.old.SqlTokens.TokenType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an INSERT with a list of columns and rows of VALUES, or an UPDATE of one table, writes into which column. Nothing else is
 * understood, and neither is one of these with anything in it that could make it write more or other than it says.
 */
public final class AssignedValues {

    /**
     * One value for one column.
     *
     * @param expression all its tokens
     * @param parameter the number of its first parameter, if it has any; the first of the statement is 1
     */
    public record Assignment(Token column, List<Token> expression, int parameter) {

        boolean isParameter() {
            return expression.size() == 1 && expression.get(0).isMark('?');
        }

        boolean isText() {
            return expression.size() == 1 && expression.get(0).type() == TokenType.TEXT;
        }

        boolean isWord(String word) {
            return expression.size() == 1 && expression.get(0).isWord(word);
        }

        String text() {
            return expression.get(0).text();
        }
    }

    private final List<Token> statement;
    private final List<Assignment> assignments = new ArrayList<>();
    private int at;
    private int parameters;

    private AssignedValues(List<Token> statement) {
        this.statement = statement;
    }

    /** Null if the statement is not understood. */
    static @Nullable List<Assignment> of(List<Token> statement) {
        if (!hasCountableParameters(statement)
                || !StatementVerbs.writesOnce(statement)
                || StatementVerbs.executes(statement)) {
            return null;
        }
        AssignedValues values = new AssignedValues(statement);
        boolean understood = statement.get(0).isWord("insert") ? values.insert() : values.update();
        return understood ? values.assignments : null;
    }

    /**
     * {@code ?1} has a number of its own, as {@code :1}, {@code @1} and {@code $1} have where they are parameters, and {@code ??} is none to
     * PostgreSQL's driver.
     */
    private static boolean hasCountableParameters(List<Token> statement) {
        for (int i = 0; i < statement.size(); i++) {
            Token next = PlainStatements.at(statement, i + 1);
            if (statement.get(i).isMark(':') && next.isMark(':')) {
                i++; // a cast
                continue;
            }
            if (isAny(statement.get(i), ":@$")) {
                return false;
            }
            if (statement.get(i).isMark('?') && (next.isMark('?') || next.type() == TokenType.LITERAL)) {
                return false;
            }
        }
        return true;
    }

    private Token next() {
        return PlainStatements.at(statement, at);
    }

    private boolean skip(char mark) {
        boolean there = next().isMark(mark);
        at += there ? 1 : 0;
        return there;
    }

    private boolean skip(String word) {
        boolean there = next().isWord(word);
        at += there ? 1 : 0;
        return there;
    }

    private boolean insert() {
        if (!skip("insert") || !skip("into")) {
            return false;
        }
        at = PlainStatements.afterName(statement, at);
        List<Token> columns = columns();
        if (columns.isEmpty() || !skip("values")) {
            return false;
        }
        do {
            if (!row(columns)) {
                return false;
            }
        } while (skip(','));
        return at == statement.size() || next().isWord("returning") || doesNothingOnConflict();
    }

    /** Empty if it is no list of plain names. */
    private List<Token> columns() {
        List<Token> columns = new ArrayList<>();
        boolean more = skip('(');
        while (more) {
            if (!next().isName()) {
                return List.of();
            }
            columns.add(next());
            at++;
            more = skip(',');
        }
        return skip(')') ? columns : List.of();
    }

    private boolean row(List<Token> columns) {
        if (!skip('(')) {
            return false;
        }
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0 && !skip(',')) {
                return false;
            }
            if (!value(columns.get(i), false)) {
                return false;
            }
        }
        return skip(')');
    }

    /** Reads up to a comma, a parenthesis that was opened before, or, in an UPDATE, the clause after the assignments. */
    private boolean value(Token column, boolean ofUpdate) {
        int start = at;
        int first = parameters + 1;
        int depth = 0;
        while (at < statement.size()) {
            Token token = next();
            if (depth == 0 && (token.isMark(',') || token.isMark(')') || ofUpdate && endsAssignments(token))) {
                break;
            }
            depth += isAny(token, "([{") ? 1 : 0;
            depth -= isAny(token, ")]}") ? 1 : 0;
            parameters += token.isMark('?') ? 1 : 0;
            at++;
        }
        assignments.add(new Assignment(column, statement.subList(start, at), first));
        return at > start && depth == 0;
    }

    private static boolean isAny(Token token, String marks) {
        return token.type() == TokenType.MARK && marks.indexOf(token.text().charAt(0)) >= 0;
    }

    private boolean doesNothingOnConflict() {
        int size = statement.size();
        return next().isWord("on")
                && PlainStatements.at(statement, at + 1).isWord("conflict")
                && statement.stream().noneMatch(token -> token.isWord("update"))
                && statement.get(size - 2).isWord("do")
                && statement.get(size - 1).isWord("nothing");
    }

    private boolean update() {
        if (!skip("update")) {
            return false;
        }
        skip("only");
        at = PlainStatements.afterName(statement, at);
        if (!next().isWord("set")) {
            skip("as");
            at += next().isName() ? 1 : 0;
        }
        if (!skip("set")) {
            return false;
        }
        do {
            if (!assignment()) {
                return false;
            }
        } while (skip(','));
        // What follows may join other tables, or name the updated one by another's alias.
        return at == statement.size() || next().isWord("where") || next().isWord("returning");
    }

    private boolean assignment() {
        int end = PlainStatements.afterName(statement, at);
        if (end == at) {
            return false;
        }
        Token column = statement.get(end - 1);
        at = end;
        return skip('=') && !next().isMark('=') && value(column, true);
    }

    private static boolean endsAssignments(Token token) {
        return token.isWord("where")
                || token.isWord("from")
                || token.isWord("returning")
                || token.isWord("order")
                || token.isWord("limit")
                || token.isWord("output");
    }
}

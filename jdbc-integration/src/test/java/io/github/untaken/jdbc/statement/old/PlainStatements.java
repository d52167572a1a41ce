package io.github.untaken.jdbc.statement.old;

import io.github.untaken.jdbc.statement.old.SqlTokens.Token;
import io.github.untaken.jdbc.statement.old.SqlTokens.TokenType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one statement writes, where its tokens say that plainly: the one table, and the columns of an UPDATE. */
public final class PlainStatements {
    private PlainStatements() {}

    /** Where the name that starts here ends, with its schema. */
    static int afterName(List<Token> statement, int start) {
        int i = start;
        while (at(statement, i).isName()) {
            i++;
            if (!at(statement, i).isMark('.')) {
                return i;
            }
            i++;
        }
        return start;
    }

    /**
     * All names that an UPDATE may assign to; more than that if the statement is not simple. Null if that cannot be told.
     * Each assignment follows {@code set} or a comma outside of parentheses, and what stands before its {@code =} is
     * assigned.
     */
    static @Nullable List<Token> updateTargets(List<Token> statement) {
        int set = -1;
        for (int i = 1; i < statement.size(); i++) {
            if (statement.get(i).isWord("set") && !statement.get(i - 1).isMark('.')) {
                if (set >= 0) {
                    return null;
                }
                set = i;
            }
        }
        if (set < 0) {
            return null;
        }
        List<Token> targets = new ArrayList<>();
        boolean assigned = false;
        boolean target = true;
        int depth = 0;
        for (Token token : statement.subList(set + 1, statement.size())) {
            depth += token.isMark('(') ? 1 : 0;
            depth -= token.isMark(')') ? 1 : 0;
            if (token.isMark('@')) {
                return null; // a variable may be assigned on the way
            }
            if (token.isMark('=')) {
                assigned = true;
                target = false;
            } else if (token.isMark(',') && depth <= 0) {
                target = true;
            } else if (target && token.isName()) {
                targets.add(token);
            }
        }
        return assigned && depth == 0 ? targets : null;
    }

    /**
     * The name of the only table that a statement with one writing verb writes, if that verb is INSERT, UPDATE, DELETE
     * or MERGE; null if that is not certain.
     */
    static @Nullable Token target(List<Token> statement) {
        Token verb = statement.get(0);
        boolean into = at(statement, 1).isWord("into") && count(statement, "into") == 1;
        if (into && (verb.isWord("insert") || verb.isWord("merge"))) {
            return nameAt(statement, at(statement, 2).isWord("only") ? 3 : 2);
        }
        if (verb.isWord("delete") && at(statement, 1).isWord("from") && count(statement, "using") == 0) {
            int name = at(statement, 2).isWord("only") ? 3 : 2;
            return at(statement, afterName(statement, name)).isMark(',') ? null : nameAt(statement, name);
        }
        if (verb.isWord("update")) {
            int name = at(statement, 1).isWord("only") ? 2 : 1;
            if (at(statement, 1).isWord("ignore") || at(statement, 1).isWord("low_priority")) {
                return null; // MySQL: the table is named after it
            }
            int alias = afterName(statement, name);
            alias += at(statement, alias).isWord("as") ? 1 : 0;
            int set = at(statement, alias).isWord("set") ? alias : alias + 1;
            return at(statement, set).isWord("set") ? nameAt(statement, name) : null;
        }
        return null;
    }

    /** {@code update a set ... from account a}, as SQL Server has it. */
    static boolean mayNameAnAlias(List<Token> statement) {
        return statement.get(0).isWord("update") && count(statement, "from") > 0;
    }

    private static @Nullable Token nameAt(List<Token> statement, int start) {
        int end = afterName(statement, start);
        return end > start ? statement.get(end - 1) : null;
    }

    static long count(List<Token> statement, String word) {
        return statement.stream().filter(token -> token.isWord(word)).count();
    }

    private static final Token END = new Token(TokenType.MARK, "\0");

    static Token at(List<Token> statement, int index) {
        return index < statement.size() ? statement.get(index) : END;
    }
}

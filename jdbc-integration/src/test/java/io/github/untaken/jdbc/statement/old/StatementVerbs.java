package io.github.untaken.jdbc.statement.old;

import io.github.untaken.jdbc.statement.old.SqlTokens.Token;
import io.github.untaken.jdbc.statement.old.SqlTokens.TokenType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a statement does, told by its verbs. A word counts as a verb wherever one can stand: better to suspect too much
 * than too little.
 */
public final class StatementVerbs {
    private static final Set<String> WRITES = words(
            "insert", "update", "delete", "merge", "replace", "upsert", "truncate", "copy", "load", "import", "unload");
    private static final Set<String> EXECUTES = words("call", "exec", "execute", "do", "prepare", "perform", "declare");
    private static final Set<String> DEFINES =
            words("create", "alter", "drop", "rename", "comment", "grant", "revoke", "exchange", "attach", "detach");
    private static final Set<String> DEFINES_ANYTHING = words("create", "alter", "drop", "rename");
    /** By which a table's name may come to mean another, or its column to be filled in, though the text names neither. */
    private static final Set<String> NAMES_AND_TYPES = words(
            "schema",
            "role",
            "user",
            "database",
            "system",
            "extension",
            "type",
            "domain",
            "function",
            "procedure",
            "synonym");

    private static final Set<String> OF_TABLES = words("table", "index", "view", "sequence", "trigger");
    private static final Set<String> READS = words("select", "values", "table", "show");
    private static final Set<String> READS_WITH_VERBS_ANYWHERE = words("with", "explain", "describe");
    /** MySQL commits what is open before either of the last two, H2 before the last. */
    private static final Set<String> ENDS_TRANSACTIONS = words(
            "commit",
            "rollback",
            "start",
            "begin",
            "end",
            "abort",
            "savepoint",
            "release",
            "set",
            "reset",
            "lock",
            "analyze");

    private static final Set<String> CHANGES_NOTHING =
            words("vacuum", "checkpoint", "listen", "unlisten", "notify", "use", "pragma", "close", "fetch");
    /** Those before which a name or a value stands; the others of {@link #ENDS_TRANSACTIONS} have words of their own. */
    private static final Set<String> NAMES_SOMETHING =
            words("rollback", "savepoint", "release", "set", "reset", "lock", "analyze");

    private static final Set<String> OF_TRANSACTIONS = words(
            "transaction",
            "tran",
            "work",
            "isolation",
            "level",
            "read",
            "write",
            "only",
            "committed",
            "uncommitted",
            "repeatable",
            "serializable",
            "snapshot",
            "with",
            "consistent",
            "deferrable",
            "not",
            "and",
            "no",
            "chain",
            "release");

    /** What a statement does, at the worst. */
    public enum Effect {
        /** It writes nothing and ends no transaction. */
        NONE,
        WRITES,
        DEFINES_DATA,
        ENDS_TRANSACTION,
        UNKNOWN
    }

    private StatementVerbs() {}

    private static Set<String> words(String... words) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(words));
        return set;
    }

    /**
     * Whether a text is one read beyond doubt: it begins as one, and no word in it, were it the only thing understood,
     * could be a verb that writes. Quick, for this is what most texts are.
     */
    static boolean isPlainRead(String sql) {
        return firstWordReads(sql) && !hasSuspiciousWord(sql);
    }

    private static boolean firstWordReads(String sql) {
        int start = 0;
        while (start < sql.length() && (Character.isWhitespace(sql.charAt(start)) || sql.charAt(start) == '(')) {
            start++;
        }
        int end = start;
        while (end < sql.length() && SqlTokens.isPartOfWord(sql.charAt(end))) {
            end++;
        }
        return reads(sql.substring(start, end));
    }

    private static boolean reads(String verb) {
        return READS.contains(verb) || READS_WITH_VERBS_ANYWHERE.contains(verb);
    }

    private static boolean hasSuspiciousWord(String sql) {
        int start = -1;
        for (int i = 0; i <= sql.length(); i++) {
            char c = i < sql.length() ? sql.charAt(i) : ' ';
            if (c == ';') {
                return true;
            }
            if (SqlTokens.isPartOfWord(c)) {
                start = start < 0 ? i : start;
            } else if (start >= 0) {
                if (isSuspicious(sql.substring(start, i))) {
                    return true;
                }
                start = -1;
            }
        }
        return false;
    }

    private static boolean isSuspicious(String word) {
        return WRITES.contains(word)
                || EXECUTES.contains(word)
                || DEFINES.contains(word)
                || word.indexOf('$') >= 0
                || Character.isDigit(word.charAt(0)) && !word.chars().allMatch(Character::isDigit);
    }

    static Effect effect(List<Token> statement) {
        Token first = first(statement);
        if (first.type() != TokenType.WORD) {
            return Effect.UNKNOWN; // an escape such as {call ...}, or nothing known
        }
        String verb = first.text();
        if (isSetForOne(statement)) {
            return effectOfTheOne(statement) == Effect.NONE ? Effect.ENDS_TRANSACTION : Effect.UNKNOWN;
        }
        if (reads(verb)) {
            return hasInnerVerb(statement, READS_WITH_VERBS_ANYWHERE.contains(verb)) ? Effect.WRITES : Effect.NONE;
        }
        if (WRITES.contains(verb)) {
            return Effect.WRITES;
        }
        if (DEFINES.contains(verb)) {
            return Effect.DEFINES_DATA;
        }
        if (ENDS_TRANSACTIONS.contains(verb) && isOneOfTransactions(statement) && !hasInnerVerb(statement, true)) {
            return Effect.ENDS_TRANSACTION;
        }
        return CHANGES_NOTHING.contains(verb) && !hasInnerVerb(statement, true) ? Effect.NONE : Effect.UNKNOWN;
    }

    /** Whether a definition concerns what tables are named and made by, rather than one table. */
    static boolean definesNames(List<Token> statement) {
        if (!DEFINES_ANYTHING.contains(first(statement).text())) {
            return false;
        }
        return statement.stream()
                .skip(1)
                .limit(3) // create or replace function
                .takeWhile(token -> !OF_TABLES.contains(token.text()))
                .anyMatch(token -> NAMES_AND_TYPES.contains(token.text()));
    }

    /** MariaDB has {@code set statement a = 1 for} before any other statement. */
    private static boolean isSetForOne(List<Token> statement) {
        return statement.get(0).isWord("set")
                && statement.size() > 1
                && statement.get(1).isWord("statement");
    }

    private static Effect effectOfTheOne(List<Token> statement) {
        for (int i = 2; i + 1 < statement.size(); i++) {
            if (statement.get(i).isWord("for")) {
                return effect(statement.subList(i + 1, statement.size()));
            }
        }
        return Effect.UNKNOWN;
    }

    /** The first token, past parentheses: a verb, if it is a word. */
    static Token first(List<Token> statement) {
        Token first = statement.get(0);
        for (int i = 0; first.isMark('(') && i < statement.size(); i++) {
            first = statement.get(i);
        }
        return first;
    }

    /** {@code begin} alone opens a transaction; before anything else it opens a block, which may do anything. */
    private static boolean isOneOfTransactions(List<Token> statement) {
        Token verb = statement.get(0);
        return NAMES_SOMETHING.contains(verb.text())
                || statement.stream()
                        .skip(1)
                        .allMatch(token -> token.isMark(',') || OF_TRANSACTIONS.contains(token.text()));
    }

    /**
     * Whether a verb that writes stands inside a statement that begins as a read: after a parenthesis, or anywhere at all
     * but where it is part of a name or of {@code for update}.
     */
    private static boolean hasInnerVerb(List<Token> statement, boolean anywhere) {
        for (int i = 1; i < statement.size(); i++) {
            Token before = statement.get(i - 1);
            boolean possible = anywhere
                    ? !before.isMark('.') && !before.isWord("for") && !before.isWord("key")
                    : before.isMark('(') || before.isMark(')');
            Token token = statement.get(i);
            if (possible
                    && token.type() == TokenType.WORD
                    && (WRITES.contains(token.text()) || EXECUTES.contains(token.text()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether only one verb writes in it, so that the statement does what that one says. */
    static boolean writesOnce(List<Token> statement) {
        int verbs = 0;
        for (int i = 0; i < statement.size(); i++) {
            Token token = statement.get(i);
            boolean function = i + 1 < statement.size()
                    && statement.get(i + 1).isMark('(')
                    && (token.isWord("replace") || token.isWord("truncate"));
            boolean clause = i > 0 && isClause(token, statement.get(i - 1));
            verbs += token.type() == TokenType.WORD && WRITES.contains(token.text()) && !function && !clause ? 1 : 0;
        }
        return verbs == 1;
    }

    /**
     * Of the same statement: {@code on conflict do update}, {@code on duplicate key update}, {@code for update},
     * {@code for no key update}, {@code when matched then delete}.
     */
    private static boolean isClause(Token verb, Token before) {
        return before.isWord("then")
                || (verb.isWord("update") && (before.isWord("do") || before.isWord("key") || before.isWord("for")));
    }

    /** Whether it executes something else, by a verb other than the {@code do} of {@code on conflict do}. */
    static boolean executes(List<Token> statement) {
        for (int i = 1; i < statement.size(); i++) {
            Token token = statement.get(i);
            Token before = statement.get(i - 1);
            if (token.type() == TokenType.WORD
                    && EXECUTES.contains(token.text())
                    && !before.isMark('.')
                    && !(token.isWord("do") && i + 1 < statement.size() && followsConflict(statement.get(i + 1)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean followsConflict(Token token) {
        return token.isWord("update") || token.isWord("nothing");
    }
}

package io.github.untaken.jdbc.statement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text of SQL into tokens, provided that every database cuts it the same way. Guesses nothing about comments, backslashes, dollars,
 * quote prefixes, brackets, or anything else that databases do not agree on.
 */
final class Tokens {
    private static final String BLANKS = " \t\n\r\f";
    private static final String QUOTES = "'\"`";
    private static final String MARKS = ",().=;<>+-*/%!|^~&:";

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int parameters;

    private Tokens(String sql) {
        this.sql = sql;
    }

    /** Null if databases may differ. */
    static @Nullable List<Token> of(String sql) {
        Tokens reader = new Tokens(sql);
        boolean agreed = true;
        while (agreed && reader.at < sql.length()) {
            agreed = reader.next();
        }
        return agreed ? reader.tokens : null;
    }

    private boolean next() {
        char c = sql.charAt(at);
        if (BLANKS.indexOf(c) >= 0) {
            at++;
            return true;
        }
        if (QUOTES.indexOf(c) >= 0) {
            return quoted(c);
        }
        if (Words.isPart(c)) {
            return Words.isDigit(c) ? number() : word();
        }
        if (c == '?') {
            at++;
            add(Token.Type.PARAMETER, String.valueOf(++parameters));
            return peek(0) != '?' && !Words.isPart(peek(0));
        }
        if (c == '[' && peek(1) == ']') {
            at += 2; // of a type
            add(Token.Type.MARK, "[]");
            return true;
        }
        return MARKS.indexOf(c) >= 0 && mark(c);
    }

    private char peek(int ahead) {
        return at + ahead < sql.length() ? sql.charAt(at + ahead) : '\0';
    }

    private void add(Token.Type type, String text) {
        tokens.add(new Token(type, text, peek(0) == '('));
    }

    /**
     * A doubled quote stands for one. What a backslash means depends on the database, and what stands before the quote may change
     * everything.
     */
    private boolean quoted(char quote) {
        char before = at == 0 ? ' ' : sql.charAt(at - 1);
        StringBuilder content = new StringBuilder();
        for (at++; at < sql.length(); at++) {
            char c = sql.charAt(at);
            if (c == '\\' || c == '\0') {
                return false;
            }
            if (c == quote && peek(1) != quote) {
                at++;
                add(quote == '\'' ? Token.Type.TEXT : Token.Type.QUOTED, content.toString());
                return !Words.isPart(before) && before != '&';
            }
            at += c == quote ? 1 : 0;
            content.append(c);
        }
        return false;
    }

    private boolean number() {
        int start = at;
        digits();
        if (peek(0) == 'e' || peek(0) == 'E') {
            at += peek(1) == '-' || peek(1) == '+' ? 2 : 1;
            digits();
        }
        add(Token.Type.NUMBER, sql.substring(start, at));
        return !Words.isPart(peek(0)) && Words.isDigit(sql.charAt(at - 1));
    }

    private void digits() {
        while (Words.isDigit(peek(0))) {
            at++;
        }
    }

    /** Between two letters a dollar belongs to the name, as in Hibernate's name for a nested class; PostgreSQL begins no quote there. */
    private boolean word() {
        int start = at;
        while (Words.isPart(peek(0)) || peek(0) == '$' && Words.isPart(sql.charAt(at - 1)) && Words.isPart(peek(1))) {
            at++;
        }
        add(Token.Type.WORD, sql.substring(start, at));
        return true;
    }

    private boolean mark(char c) {
        at++;
        boolean cast = c == ':' && peek(0) == ':';
        at += cast ? 1 : 0;
        add(Token.Type.MARK, cast ? "::" : String.valueOf(c));
        return (c != ':' || cast && peek(0) != ':')
                && (c != '-' || peek(0) != '-')
                && (c != '/' || peek(0) != '*' && peek(0) != '/');
    }
}

package io.github.untaken.jdbc.statement.old;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words and marks of an SQL text, read from left to right once. Comments are dropped, and of a literal
 * other than a plain text it is only kept that one stands there. What databases do not agree on (nested and executable comments, quotes of one's own
 * choice, names in escapes) is not guessed: such a text is not understood.
 */
public final class SqlTokens {

    public enum TokenType {
        /** A keyword, or a name without quotes. */
        WORD,
        /** A name in quotes, which is never a keyword. */
        QUOTED,
        LITERAL,
        /** A literal in plain quotes, of which it is kept what stands there. */
        TEXT,
        /** One character of anything else. */
        MARK
    }

    public record Token(TokenType type, String text) {

        boolean isWord(String word) {
            return type == TokenType.WORD && text.equalsIgnoreCase(word);
        }

        boolean isMark(char mark) {
            return type == TokenType.MARK && text.charAt(0) == mark;
        }

        boolean isName() {
            return type == TokenType.WORD || type == TokenType.QUOTED;
        }
    }

    /** How a text is read where databases differ. */
    public enum Reading {
        /** A backslash hides nothing, {@code --} begins a comment and {@code #} does not. */
        STANDARD,
        /** A backslash in quotes hides the next character, {@code #} begins a comment, {@code --} only before a blank. */
        MYSQL
    }

    private static final Token LITERAL = new Token(TokenType.LITERAL, "");

    /** No statement begins with this. */
    private static final List<Token> NOT_UNDERSTOOD = List.of(new Token(TokenType.MARK, "\0"));

    private final String sql;
    private final Reading reading;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private boolean understood = true;
    private boolean leftOpen;

    private SqlTokens(String sql, Reading reading) {
        this.sql = sql;
        this.reading = reading;
    }

    /** Null if a quote is left open; what is not understood otherwise is no statement that anybody knows. */
    static @Nullable List<Token> read(String sql, Reading reading) {
        SqlTokens reader = new SqlTokens(sql, reading);
        while (reader.understood && reader.at < sql.length()) {
            reader.next();
        }
        if (reader.leftOpen) {
            return null;
        }
        return reader.understood ? reader.tokens : NOT_UNDERSTOOD;
    }

    private void next() {
        char c = sql.charAt(at);
        if (isBlank(c)) {
            at++;
        } else if (c == '-'
                && peek(1) == '-'
                && (reading == Reading.STANDARD || isBlank(peek(2)) || at + 2 == sql.length())) {
            lineComment();
        } else if (c == '#' && reading == Reading.MYSQL) {
            lineComment();
        } else if (c == '/' && peek(1) == '*') {
            blockComment();
        } else if (c == '/' && peek(1) == '/') {
            understood = false; // H2 begins a comment with it
        } else if (c == '\'') {
            text(quoted(c, reading == Reading.MYSQL));
        } else if (c == '"' || c == '`') {
            tokens.add(new Token(TokenType.QUOTED, quoted(c, reading == Reading.MYSQL && c == '"')));
        } else if (c == '$') {
            dollar();
        } else if (isDigit(c)) {
            number();
        } else if (isPartOfWord(c)) {
            word();
        } else if (c > ' ' && c < 127 && c != '\\') {
            tokens.add(new Token(TokenType.MARK, String.valueOf(c)));
            at++;
        } else {
            understood = false;
        }
    }

    private char peek(int ahead) {
        return at + ahead < sql.length() ? sql.charAt(at + ahead) : '\0';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isPartOfWord(char c) {
        return c < 128
                ? isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'
                : Character.isLetterOrDigit(c) || Character.isSurrogate(c);
    }

    private void lineComment() {
        while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
            at++;
        }
        understood = peek(0) != '\r' || peek(1) == '\n';
    }

    private void blockComment() {
        int end = sql.indexOf("*/", at + 2);
        int nested = sql.indexOf("/*", at + 2);
        if (end < 0 || (nested >= 0 && nested < end) || isExecuted()) {
            understood = false;
        } else {
            at = end + 2;
        }
    }

    /** MySQL executes what stands in such a comment, MariaDB also after an M. */
    private boolean isExecuted() {
        return peek(2) == '!' || peek(2) == 'M' && peek(3) == '!';
    }

    /** What a backslash means there depends on settings of the database. */
    private void text(String content) {
        tokens.add(content.indexOf('\\') < 0 ? new Token(TokenType.TEXT, content) : LITERAL);
    }

    /** Between quotes, where a doubled quote is one. */
    private String quoted(char quote, boolean escapes) {
        StringBuilder content = new StringBuilder();
        at++;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == quote && peek(1) != quote) {
                at++;
                return content.toString();
            }
            at += c == quote || (escapes && c == '\\') ? 2 : 1;
            content.append(c);
        }
        understood = false;
        leftOpen = true;
        return "";
    }

    /** A parameter such as {@code $1}, or a literal between {@code $tag$} and {@code $tag$}. */
    private void dollar() {
        int end = at + 1;
        while (end < sql.length() && isPartOfWord(sql.charAt(end)) && sql.charAt(end) != '$') {
            end++;
        }
        if (end < sql.length() && sql.charAt(end) == '$') {
            String tag = sql.substring(at, end + 1);
            int close = sql.indexOf(tag, end + 1);
            understood = close >= 0;
            at = close + tag.length();
            tokens.add(LITERAL);
        } else {
            understood = end > at + 1;
            at = end;
            tokens.add(new Token(TokenType.MARK, "$"));
        }
    }

    /** {@code 1union} is one word to some databases and two to others. */
    private void number() {
        int start = at;
        while (isPartOfWord(peek(0))) {
            at++;
        }
        String digits = sql.substring(start, at);
        boolean prefixed = digits.length() > 2 && digits.charAt(0) == '0' && "xXbBoO".indexOf(digits.charAt(1)) >= 0;
        int exponents = 0;
        for (int i = prefixed ? 2 : 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            boolean hexadecimal = prefixed && "abcdefABCDEF".indexOf(c) >= 0;
            exponents += !prefixed && (c == 'e' || c == 'E') ? 1 : 0;
            understood &= isDigit(c) || hexadecimal || (!prefixed && (c == 'e' || c == 'E'));
        }
        understood &= exponents <= 1;
        tokens.add(LITERAL);
    }

    private void word() {
        int start = at;
        while (isPartOfWord(peek(0))) {
            at++;
        }
        String word = sql.substring(start, at);
        char quote = peek(0);
        if (quote == '\'' && word.equalsIgnoreCase("e")) {
            quoted(quote, true);
            tokens.add(LITERAL);
        } else if (quote == '\'' && (word.equalsIgnoreCase("q") || word.equalsIgnoreCase("nq"))) {
            understood = false; // with quotes of its own choice
        } else if (quote == '&' && word.equalsIgnoreCase("u") && (peek(1) == '"' || peek(1) == '\'')) {
            understood = false; // a name in escapes
        } else {
            tokens.add(new Token(TokenType.WORD, word));
        }
    }
}

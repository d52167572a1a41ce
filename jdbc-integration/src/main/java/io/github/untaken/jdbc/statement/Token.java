package io.github.untaken.jdbc.statement;

/**
 * One piece of a text of SQL.
 *
 * @param text for a quoted name or a text, what stands between the quotes; for a parameter, its number, from 1
 * @param calls whether a bracket follows at once, as after the name of a function
 */
record Token(Type type, String text, boolean calls) {

    enum Type {
        /** A keyword, or an unquoted name. */
        WORD,
        /** A quoted name, which is never a keyword. */
        QUOTED,
        /** A literal in plain quotes. */
        TEXT,
        NUMBER,
        PARAMETER,
        /** Anything else: one character, or two colons. */
        MARK
    }

    boolean isWord(String word) {
        return type == Type.WORD && Words.fold(text).equals(word);
    }

    boolean isMark(String mark) {
        return type == Type.MARK && text.equals(mark);
    }

    boolean isName() {
        return type == Type.WORD || type == Type.QUOTED;
    }
}

package io.github.untaken.jdbc.statement;

/**
 * One piece of a text of SQL.
 *
 * @param text of a name in quotes and of a text what stands between the quotes; of a parameter its number, from 1
 * @param calls whether a bracket follows at once, as behind the name of a function
 */
record Token(Type type, String text, boolean calls) {

    enum Type {
        /** A keyword, or a name without quotes. */
        WORD,
        /** A name in quotes, which is never a keyword. */
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

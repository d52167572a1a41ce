package io.github.untaken.jdbc.statement;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One piece of a text of SQL.
 *
 * @param text for a quoted name or a text, what stands between the quotes; for a parameter, its number, from 1
 * @param calls whether a bracket follows at once, as after the name of a function
 */
record Token(Type type, String text, boolean calls) {
    /** Stands for any token. */
    static final String ANY = "";

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

    /** How many brackets it opens; -1 if it closes one. */
    int deeper() {
        return isMark("(") ? 1 : isMark(")") ? -1 : 0;
    }

    /** Whether these are the tokens, one by one: words, marks, or {@link #ANY}. */
    static boolean are(List<Token> tokens, String... wordsAndMarks) {
        return tokens.size() == wordsAndMarks.length
                && IntStream.range(0, wordsAndMarks.length)
                        .allMatch(i -> tokens.get(i).is(wordsAndMarks[i]));
    }

    private boolean is(String wordOrMark) {
        return wordOrMark.equals(ANY) || isWord(wordOrMark) || isMark(wordOrMark);
    }

    boolean isName() {
        return type == Type.WORD || type == Type.QUOTED;
    }
}

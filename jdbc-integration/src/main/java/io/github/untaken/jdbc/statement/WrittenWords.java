package io.github.untaken.jdbc.statement;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The words of all texts that may have written something, because a table may turn out to be a part of a watched one after it was written:
 * nobody called that a write then. Bounded; beyond that every name is one of them. Thread-safe.
 */
public final class WrittenWords {
    /** Not reached by an application that names its tables in advance. */
    private static final int MOST = 10_000;

    private final Set<String> words = ConcurrentHashMap.newKeySet();

    /** To be called before it is asked which names are known. */
    void note(SqlText text) {
        List<Token> tokens = text.tokens();
        if (tokens == null) {
            note(text.text());
            return;
        }
        for (Token token : tokens) {
            boolean mayName = token.isName() || token.type() == Token.Type.TEXT && WordJudge.hasVerb(token.text());
            if (mayName) {
                note(token.text());
            }
        }
    }

    private void note(String text) {
        if (words.size() < MOST) {
            Words.forEach(text, words::add);
        }
    }

    /** Whether one of those texts may have named a table of that bare name. */
    public boolean mayHave(String name) {
        boolean[] has = {true};
        Words.split(name, (word, end) -> has[0] &= words.contains(Words.fold(word)));
        return has[0] || words.size() >= MOST;
    }
}

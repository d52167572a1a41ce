package io.github.untaken.jdbc.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The words of all texts that may have written something. A table may be written before it turns out to be part of a watched one; at the
 * time, that did not count as a write. Bounded; beyond that, every name counts as one of them. Thread-safe.
 */
public final class WrittenWords {
    /** An application that names its tables in advance does not reach this. */
    private static final int MOST = 10_000;

    private final Set<String> words = ConcurrentHashMap.newKeySet();

    /** Call before asking which names are known. */
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
        List<String> parts = new ArrayList<>();
        Words.split(name, (word, end) -> parts.add(Words.fold(word)));
        return words.containsAll(parts) || words.size() >= MOST;
    }
}

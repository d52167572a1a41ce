package io.github.untaken.jdbc.statement;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The words that stand for watched tables. */
final class Names {
    private final Map<String, Set<String>> words = new HashMap<>();
    /** For names that are not one word: their letters, looked for anywhere. */
    private final Map<String, Set<String>> letters = new HashMap<>();

    private final Map<String, Set<String>> whole = new HashMap<>();

    void add(String name, String table) {
        boolean isWord = !name.isEmpty() && name.chars().allMatch(c -> Words.isPart((char) c));
        (isWord ? words : letters)
                .computeIfAbsent(isWord ? Words.fold(name) : Words.squeezed(Words.cut(name)), each -> new HashSet<>())
                .add(table);
        whole.computeIfAbsent(Words.fold(name), each -> new HashSet<>()).add(table);
    }

    /** The tables a name stands for. A name with a dollar is no other, although other names may be words of it. */
    Set<String> tablesOf(Token name) {
        return name.type() == Token.Type.WORD && name.text().indexOf('$') >= 0
                ? whole.getOrDefault(Words.fold(name.text()), Set.of())
                : tablesIn(name.text());
    }

    /** The tables that some word of the text stands for. */
    Set<String> tablesIn(String text) {
        Set<String> found = new HashSet<>();
        if (!words.isEmpty()) {
            Words.forEach(text, word -> found.addAll(words.getOrDefault(word, Set.of())));
        }
        if (!letters.isEmpty()) {
            String squeezed = Words.squeezed(text);
            letters.forEach((name, tables) -> {
                if (squeezed.contains(name)) {
                    found.addAll(tables);
                }
            });
        }
        return found;
    }
}

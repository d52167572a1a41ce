package io.github.untaken.jdbc.catalog;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which views may write a table: those whose text has its name, and those whose text has one of theirs. */
final class Views {
    private final Map<String, String> definitions;

    /** @param definitions by the views' names; what may not be read may name anything */
    Views(Map<String, String> definitions) {
        this.definitions = definitions;
    }

    /** By their names, each with its text. */
    Set<Map.Entry<String, String>> over(String table) {
        Set<String> words = new HashSet<>(Set.of(table.toLowerCase(Locale.ROOT)));
        Set<Map.Entry<String, String>> found = new HashSet<>();
        for (boolean more = true; more; ) {
            more = false;
            for (Map.Entry<String, String> view : definitions.entrySet()) {
                String text = view.getValue().toLowerCase(Locale.ROOT);
                if (!found.contains(view) && (text.isEmpty() || words.stream().anyMatch(text::contains))) {
                    found.add(view);
                    words.add(view.getKey().toLowerCase(Locale.ROOT));
                    more = true;
                }
            }
        }
        return found;
    }
}

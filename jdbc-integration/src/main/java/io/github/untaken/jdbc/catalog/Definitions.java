package io.github.untaken.jdbc.catalog;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The texts of views, or of routines. */
final class Definitions {
    private final Map<String, String> texts;

    /** @param texts by the names of what they define; one that may not be read may name anything */
    Definitions(Map<String, String> texts) {
        this.texts = texts;
    }

    /** The names of those whose text matches the pattern. */
    Set<String> with(Pattern pattern) {
        return texts.entrySet().stream()
                .filter(each -> pattern.matcher(each.getValue()).find())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Those whose text contains one of the names, and those whose text contains one of theirs, and so on; each with its text. */
    Map<String, String> naming(Collection<String> names) {
        Set<String> words = new HashSet<>();
        names.forEach(name -> words.add(name.toLowerCase(Locale.ROOT)));
        Map<String, String> found = new HashMap<>();
        for (boolean more = true; more; ) {
            more = false;
            for (Map.Entry<String, String> each : texts.entrySet()) {
                String text = each.getValue().toLowerCase(Locale.ROOT);
                if (!found.containsKey(each.getKey())
                        && (text.isEmpty() || words.stream().anyMatch(text::contains))) {
                    found.put(each.getKey(), each.getValue());
                    words.add(each.getKey().toLowerCase(Locale.ROOT));
                    more = true;
                }
            }
        }
        return found;
    }
}

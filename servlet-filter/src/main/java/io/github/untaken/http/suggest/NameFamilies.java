package io.github.untaken.http.suggest;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Candidates in several families, the best of each first. As one sequence they take turns, each once. */
final class NameFamilies implements Iterable<String> {
    private final List<List<String>> families;

    NameFamilies(List<List<String>> families) {
        this.families = List.copyOf(families);
    }

    List<Iterator<String>> each() {
        return families.stream().map(List::iterator).toList();
    }

    @Override
    public Iterator<String> iterator() {
        return inTurns().iterator();
    }

    Set<String> inTurns() {
        Set<String> all = new LinkedHashSet<>();
        List<Iterator<String>> waiting = new ArrayList<>(each());
        while (!waiting.isEmpty()) {
            waiting.removeIf(family -> !family.hasNext());
            waiting.forEach(family -> all.add(family.next()));
        }
        return all;
    }
}

package io.github.untaken.http.suggest;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Picks the free ones among candidates, from memory alone: a suggestion must not cost a store read, and one that is shown must be proved
 * free and pass every rule.
 */
public final class Suggestions {
    /** How many are shown at most. */
    public static final int MOST = 5;

    /** How many candidates are looked at, however many the policy brings. */
    static final int MOST_CANDIDATES = 200;

    private final AvailabilityChecker checker;

    public Suggestions(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /**
     * The keys of the first candidates that are proved free; none if memory cannot prove any. From candidates in families it takes one of
     * each, then a second of each, and so on.
     */
    public List<String> free(IdentifierKind kind, Iterable<String> candidates) {
        List<Iterator<String>> families =
                candidates instanceof NameFamilies several ? several.each() : List.of(candidates.iterator());
        Set<String> free = new LinkedHashSet<>();
        int left = MOST_CANDIDATES;
        while (left > 0 && free.size() < MOST && families.stream().anyMatch(Iterator::hasNext)) {
            for (Iterator<String> family : families) {
                boolean found = free.size() == MOST;
                while (!found && left > 0 && family.hasNext()) {
                    left--;
                    Verdict verdict = checker.checkInMemory(kind, family.next());
                    found = verdict.available() && free.add(verdict.key());
                }
            }
        }
        return new ArrayList<>(free);
    }
}

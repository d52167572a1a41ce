package io.github.untaken.servlet.suggest;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Picks among candidates those that are free, from memory alone: a suggestion must not cost a store read, and one that is
 * shown must be proved free and pass every rule.
 */
public final class Suggestions {
    /** How many are shown at most. */
    public static final int MOST = 5;

    /** How many candidates are looked at, whatever the policy brings. */
    static final int MOST_CANDIDATES = 200;

    private final AvailabilityChecker checker;

    public Suggestions(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /** The keys of the first candidates that are proved free, none if memory cannot prove any. */
    public List<String> free(IdentifierKind kind, Iterable<String> candidates) {
        Set<String> free = new LinkedHashSet<>();
        Iterator<String> each = candidates.iterator();
        for (int i = 0; i < MOST_CANDIDATES && free.size() < MOST && each.hasNext(); i++) {
            Verdict verdict = checker.checkInMemory(kind, each.next());
            if (verdict.available()) {
                free.add(verdict.key());
            }
        }
        return new ArrayList<>(free);
    }
}

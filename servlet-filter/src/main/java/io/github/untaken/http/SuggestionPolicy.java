package io.github.untaken.http;

import io.github.untaken.http.suggest.NameVariants;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * Comes up with names like a taken one. The endpoint shows the first few that are proved free and pass every rule, so a policy need not
 * know either. It should bring fifty or more, the best first. At most 200 are looked at. Implementations are thread-safe and do not block.
 * If one throws, nothing is suggested.
 */
@FunctionalInterface
public interface SuggestionPolicy {

    /**
     * Candidates for a taken name.
     *
     * @param key the normalised form of the name
     */
    Iterable<String> candidates(String key);

    /**
     * One from each family: the name's parts joined differently, swapped or shortened; with a word of its script after or before it; with a
     * short number; with an initial; with the year. If one is taken, the next of its family stands in.
     */
    static SuggestionPolicy variants() {
        return variants(Clock.systemUTC());
    }

    /**
     * The same, with the year from a given clock.
     *
     * @param clock tells the year
     */
    static SuggestionPolicy variants(Clock clock) {
        return key -> NameVariants.of(key, ZonedDateTime.now(clock).getYear());
    }

    /** No names at all. */
    static SuggestionPolicy none() {
        return key -> List.of();
    }
}

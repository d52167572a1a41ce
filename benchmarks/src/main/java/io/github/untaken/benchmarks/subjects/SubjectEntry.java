package io.github.untaken.benchmarks.subjects;

import java.util.Set;
import java.util.function.IntFunction;

/**
 * One row of the comparison.
 *
 * @param name how the figures call it
 * @param interfaceUsed the API that is called, for the reader of the table
 * @param abilities what of it can be measured
 * @param bytesPerKey about what it occupies while being filled, for the size of its heap
 * @param mostKeys where it stops, by its own limits or because filling it takes too long
 * @param maker makes an empty one for so many keys
 */
public record SubjectEntry(
        String name,
        String interfaceUsed,
        Set<Ability> abilities,
        double bytesPerKey,
        int mostKeys,
        IntFunction<Subject> maker) {

    /** Whether it can do this. */
    public boolean can(Ability ability) {
        return abilities.contains(ability);
    }
}

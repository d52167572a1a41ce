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
 * @param sideline whether a quick run asks it at a million keys only
 * @param maker makes an empty one for so many keys
 */
public record SubjectEntry(
        String name,
        String interfaceUsed,
        Set<Ability> abilities,
        double bytesPerKey,
        int mostKeys,
        boolean sideline,
        IntFunction<Subject> maker) {

    /** More than a comparison asks for. */
    static final int MANY = 200_000_000;

    /** One that a quick run asks at every size. */
    SubjectEntry(
            String name,
            String interfaceUsed,
            Set<Ability> abilities,
            double bytesPerKey,
            int mostKeys,
            IntFunction<Subject> maker) {
        this(name, interfaceUsed, abilities, bytesPerKey, mostKeys, false, maker);
    }

    /** Too slow to fill, or too near to another, for a quick run at ten million. */
    SubjectEntry asSideline() {
        return new SubjectEntry(name, interfaceUsed, abilities, bytesPerKey, mostKeys, true, maker);
    }

    /** Whether it can do this. */
    public boolean can(Ability ability) {
        return abilities.contains(ability);
    }
}

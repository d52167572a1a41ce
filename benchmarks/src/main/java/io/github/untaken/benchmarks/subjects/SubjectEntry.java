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
 * @param reach how many keys it is asked for
 * @param maker makes an empty one for so many keys
 */
public record SubjectEntry(
        String name,
        String interfaceUsed,
        Set<Ability> abilities,
        double bytesPerKey,
        Reach reach,
        IntFunction<Subject> maker) {

    /**
     * How far a comparison goes.
     *
     * @param mostKeys where it stops, by its own limits or because filling it takes too long
     * @param sideline whether a quick run asks it at a million keys only
     */
    public record Reach(int mostKeys, boolean sideline) {}

    /** More than a comparison asks for. */
    private static final int MANY = 200_000_000;

    /** One that is asked at every size. */
    SubjectEntry(
            String name, String interfaceUsed, Set<Ability> abilities, double bytesPerKey, IntFunction<Subject> maker) {
        this(name, interfaceUsed, abilities, bytesPerKey, new Reach(MANY, false), maker);
    }

    /** Not beyond so many keys. */
    SubjectEntry atMost(int keys) {
        return with(new Reach(keys, reach.sideline()));
    }

    /** Too slow to fill, or too near to another, for a quick run at ten million. */
    SubjectEntry asSideline() {
        return with(new Reach(reach.mostKeys(), true));
    }

    private SubjectEntry with(Reach other) {
        return new SubjectEntry(name, interfaceUsed, abilities, bytesPerKey, other, maker);
    }

    /** Whether it can do this. */
    public boolean can(Ability ability) {
        return abilities.contains(ability);
    }
}

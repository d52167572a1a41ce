package io.github.untaken.benchmarks.subjects;

/** A subject that answers many keys in one call: it has {@link Ability#BATCH}. */
public interface BatchSubject {

    /** The answers for {@code results.length} keys from {@code from} on. */
    void mightContainAll(String[] keys, int from, boolean[] results);
}

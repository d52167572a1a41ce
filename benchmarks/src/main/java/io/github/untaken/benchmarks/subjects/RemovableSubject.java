package io.github.untaken.benchmarks.subjects;

/** A subject that can forget one key: it has {@link Ability#REMOVES}. */
public interface RemovableSubject {

    /** Removes a key that was added. */
    void remove(String key);
}

package io.github.untaken.benchmarks.subjects;

/** A subject that says how large it is, so that it can be seen growing: needed for {@link Ability#GROWS}. */
public interface SizedSubject {

    /** How large it says that it is, in bytes. */
    long bytes();
}

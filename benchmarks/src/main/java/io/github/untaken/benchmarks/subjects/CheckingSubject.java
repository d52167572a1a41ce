package io.github.untaken.benchmarks.subjects;

import io.github.untaken.Verdict;

/** A subject behind which a whole checker stands: it has {@link Ability#CHECKS}. */
public interface CheckingSubject {

    /** What the checker says of a text, by all its rules. */
    Verdict check(String text);
}

package io.github.untaken.servlet.exchange;

import io.github.untaken.IdentifierKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request cannot be answered as it is. Has no stack trace: it is an answer, and clients can cause it at will. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final Problem problem;
    private final transient @Nullable IdentifierKind field;

    public Refusal(Problem problem) {
        this(problem, null);
    }

    public Refusal(Problem problem, @Nullable IdentifierKind field) {
        super(problem.name(), null, false, false);
        this.problem = problem;
        this.field = field;
    }

    public Problem problem() {
        return problem;
    }

    /** The kind it is about, if it is about one. */
    public Optional<IdentifierKind> field() {
        return Optional.ofNullable(field);
    }
}

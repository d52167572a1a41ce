package io.github.untaken.http.exchange;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request cannot be answered as it is. Has no stack trace: it is an answer, and clients can cause it at will. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final Problem problem;
    private final transient @Nullable IdentifierKind field;
    private final transient @Nullable Duration retryAfter;
    private final transient @Nullable String reason;

    public Refusal(Problem problem) {
        this(problem, null, null, null);
    }

    public Refusal(Problem problem, @Nullable IdentifierKind field) {
        this(problem, field, null, null);
    }

    /** A refusal for a while. */
    public Refusal(Problem problem, Duration retryAfter) {
        this(problem, null, retryAfter, null);
    }

    private Refusal(
            Problem problem, @Nullable IdentifierKind field, @Nullable Duration retryAfter, @Nullable String reason) {
        super(problem.name(), null, false, false);
        this.problem = problem;
        this.field = field;
        this.retryAfter = retryAfter;
        this.reason = reason;
    }

    /** Nobody can say. */
    static Refusal unknown(Answer lacking) {
        return new Refusal(
                Problem.UNKNOWN, lacking.kind(), null, lacking.reason().orElse(null));
    }

    public Problem problem() {
        return problem;
    }

    /** The kind it is about, if it is about one. */
    public Optional<IdentifierKind> field() {
        return Optional.ofNullable(field);
    }

    /** A stable code, if there is more to tell than the problem does. */
    Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** When asking again makes sense, if that is known. */
    Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}

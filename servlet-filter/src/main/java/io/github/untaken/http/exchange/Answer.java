package io.github.untaken.http.exchange;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is said about one field.
 *
 * @param value the normalised form of what was sent; absent if nothing is disclosed
 * @param reason a stable code, if there is one to tell
 * @param decidedBy the part of the checker that knew, if that is told
 * @param hint what may help beside it
 */
public record Answer(
        IdentifierKind kind,
        Status status,
        Optional<String> value,
        Optional<String> reason,
        Optional<String> decidedBy,
        Hint hint) {

    /**
     * One of these at most.
     *
     * @param like the reserved name that this one looks like, if it is not one itself
     * @param yours whether it is available because the person who asks holds it
     * @param suggestions free identifiers like it; none unless it is taken
     */
    public record Hint(Optional<String> like, boolean yours, List<String> suggestions) {
        private static final Hint NONE = new Hint(Optional.empty(), false, List.of());
    }

    private static final Optional<String> NOT_DISCLOSED = Optional.of("not_disclosed");

    /** The verdict itself. */
    public static Answer of(Verdict verdict, boolean exposeDecision) {
        return new Answer(
                verdict.kind(),
                verdict.status(),
                Optional.of(verdict.key()),
                verdict.reason(),
                exposeDecision ? Optional.of(verdict.decidedBy().name().toLowerCase(Locale.ROOT)) : Optional.empty(),
                Hint.NONE);
    }

    /**
     * The same answer for every identifier that might be somebody's. One that breaks a rule is told so, as rules know nothing of who is
     * registered.
     */
    public static Answer blind(Verdict verdict) {
        return verdict.status() == Status.INVALID
                ? of(verdict, false)
                : new Answer(
                        verdict.kind(), Status.UNKNOWN, Optional.empty(), NOT_DISCLOSED, Optional.empty(), Hint.NONE);
    }

    /** For a taken one: the person who asks holds it. */
    public Answer asYours() {
        Hint held = new Hint(Optional.empty(), true, List.of());
        return new Answer(kind, Status.AVAILABLE, value, Optional.empty(), decidedBy, held);
    }

    /** For a reserved one: the reserved name it looks like. */
    public Answer like(Optional<String> reserved) {
        Optional<String> other = reserved.filter(name -> !value.equals(reserved));
        return new Answer(kind, status, value, reason, decidedBy, new Hint(other, false, List.of()));
    }

    /** For an unknown one: the limit that kept it from being known. */
    public Answer because(String limit) {
        return new Answer(kind, status, value, Optional.of(limit), decidedBy, hint);
    }

    /** With free names instead. */
    public Answer with(List<String> free) {
        Hint instead = new Hint(Optional.empty(), false, List.copyOf(free));
        return new Answer(kind, status, value, reason, decidedBy, instead);
    }

    /** Whether to ask again, since the answer might have been told. */
    boolean lacking() {
        return status == Status.UNKNOWN && !reason.equals(NOT_DISCLOSED);
    }

    void write(JsonText json) {
        json.open('{');
        json.name("field").value(kind.name());
        value.ifPresent(text -> json.name("value").value(text));
        json.name("status").value(text(status));
        json.name("available").value(status == Status.AVAILABLE);
        if (hint.yours()) {
            json.name("yours").value(true);
        }
        reason.ifPresent(code -> json.name("reason").value(code));
        hint.like().ifPresent(name -> json.name("like").value(name));
        decidedBy.ifPresent(part -> json.name("decidedBy").value(part));
        if (!hint.suggestions().isEmpty()) {
            json.name("suggestions").open('[');
            hint.suggestions().forEach(json::element);
            json.close(']');
        }
        json.close('}');
    }

    private static String text(Status status) {
        return switch (status) {
            case AVAILABLE -> "available";
            case TAKEN -> "taken";
            case RESERVED -> "reserved";
            case INVALID -> "invalid";
            case UNKNOWN -> "unknown";
        };
    }

    /** Leaves out the identifier: an answer may be logged. */
    @Override
    public String toString() {
        return "Answer[" + kind + " ***, " + status + "]";
    }
}

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
 * @param like the reserved name that this one looks like, if it is not one itself
 * @param decidedBy the part of the checker that knew, if that is told
 * @param yours whether it is available because the person who asks holds it
 * @param suggestions free identifiers like it; none unless it is taken
 */
public record Answer(
        IdentifierKind kind,
        Status status,
        Optional<String> value,
        Optional<String> reason,
        Optional<String> like,
        Optional<String> decidedBy,
        boolean yours,
        List<String> suggestions) {

    private static final Optional<String> NOT_DISCLOSED = Optional.of("not_disclosed");

    /** The verdict itself. */
    public static Answer of(Verdict verdict, boolean exposeDecision) {
        return new Answer(
                verdict.kind(),
                verdict.status(),
                Optional.of(verdict.key()),
                verdict.reason(),
                Optional.empty(),
                exposeDecision ? Optional.of(verdict.decidedBy().name().toLowerCase(Locale.ROOT)) : Optional.empty(),
                false,
                List.of());
    }

    /**
     * The same answer for every identifier that might be somebody's. One that breaks a rule is told so, as rules know nothing of who is
     * registered.
     */
    public static Answer blind(Verdict verdict) {
        return verdict.status() == Status.INVALID
                ? of(verdict, false)
                : new Answer(
                        verdict.kind(),
                        Status.UNKNOWN,
                        Optional.empty(),
                        NOT_DISCLOSED,
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        List.of());
    }

    /** For a taken one: the person who asks holds it. */
    public Answer asYours() {
        return new Answer(
                kind, Status.AVAILABLE, value, Optional.empty(), Optional.empty(), decidedBy, true, List.of());
    }

    /** For a reserved one: the reserved name it looks like. */
    public Answer like(Optional<String> reserved) {
        Optional<String> other = reserved.filter(name -> !value.equals(reserved));
        return new Answer(kind, status, value, reason, other, decidedBy, yours, suggestions);
    }

    /** For an unknown one: the limit that kept it from being known. */
    public Answer because(String limit) {
        return new Answer(kind, status, value, Optional.of(limit), like, decidedBy, yours, suggestions);
    }

    /** With free names instead. */
    public Answer with(List<String> free) {
        return new Answer(kind, status, value, reason, like, decidedBy, yours, List.copyOf(free));
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
        if (yours) {
            json.name("yours").value(true);
        }
        reason.ifPresent(code -> json.name("reason").value(code));
        like.ifPresent(name -> json.name("like").value(name));
        decidedBy.ifPresent(part -> json.name("decidedBy").value(part));
        if (!suggestions.isEmpty()) {
            json.name("suggestions").open('[');
            suggestions.forEach(json::element);
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

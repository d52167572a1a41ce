package io.github.untaken.sample.pages;

import java.util.Map;

/** A request that cannot be understood or must not be granted; answered with the status, 400 as a rule, and the reason. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String field;
    private final String reason;
    private final Map<String, Long> limits;

    /**
     * @param field what is wrong, or {@code request} if it is the request as a whole
     * @param reason a stable code of lower-case letters and {@code _}
     */
    BadRequestException(String field, String reason) {
        this(400, field, reason, Map.of());
    }

    private BadRequestException(int status, String field, String reason, Map<String, Long> limits) {
        super(field + ": " + reason);
        this.status = status;
        this.field = field;
        this.reason = reason;
        this.limits = Map.copyOf(limits);
    }

    /** Something that should be a whole number within limits. */
    static BadRequestException outOfRange(String field, long least, long most) {
        return new BadRequestException(400, field, "out_of_range", Map.of("least", least, "most", most));
    }

    /** A body that did not come in time. */
    static BadRequestException tooSlow() {
        return new BadRequestException(408, "request", "too_slow", Map.of());
    }

    int status() {
        return status;
    }

    String field() {
        return field;
    }

    String reason() {
        return reason;
    }

    /** The limits that were not kept, {@code least} and {@code most}; empty if it was not about any. */
    Map<String, Long> limits() {
        return limits;
    }
}

package io.github.untaken.sample;

/** A request that cannot be understood or must not be granted; answered with 400 and the reason. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String reason;

    /**
     * @param field what is wrong, or {@code request} if it is the request as a whole
     * @param reason a stable code of lower-case letters and {@code _}
     */
    BadRequestException(String field, String reason) {
        super(field + ": " + reason);
        this.field = field;
        this.reason = reason;
    }

    String field() {
        return field;
    }

    String reason() {
        return reason;
    }
}

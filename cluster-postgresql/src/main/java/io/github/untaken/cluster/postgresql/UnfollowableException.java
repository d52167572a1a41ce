package io.github.untaken.cluster.postgresql;

/** The log cannot be followed, or not any further without missing something. The message names no value. */
final class UnfollowableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnfollowableException(String reason) {
        super(reason);
    }
}

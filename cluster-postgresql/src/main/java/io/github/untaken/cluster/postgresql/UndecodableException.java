package io.github.untaken.cluster.postgresql;

/** The log says something that is not understood, so nobody knows what it has told of. The message names no value. */
final class UndecodableException extends Exception {
    private static final long serialVersionUID = 1L;

    UndecodableException(String reason) {
        super(reason);
    }
}

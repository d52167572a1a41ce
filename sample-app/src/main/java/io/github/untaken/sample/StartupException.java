package io.github.untaken.sample;

/** The site cannot start, for a reason its user can change. The message is one line and says what to do. */
final class StartupException extends Exception {
    private static final long serialVersionUID = 1L;

    StartupException(String message) {
        super(message);
    }

    StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}

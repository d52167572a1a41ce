package io.github.untaken.sample.console;

/** The site cannot start, for a reason its user can change. The message is one line and says what to do. */
public final class StartupException extends Exception {
    private static final long serialVersionUID = 1L;

    public StartupException(String message) {
        super(message);
    }

    public StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}

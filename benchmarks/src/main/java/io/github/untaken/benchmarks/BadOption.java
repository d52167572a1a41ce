package io.github.untaken.benchmarks;

/** Something on the command line that cannot be done; the message is all that is shown of it. */
public final class BadOption extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadOption(String message) {
        super(message);
    }
}

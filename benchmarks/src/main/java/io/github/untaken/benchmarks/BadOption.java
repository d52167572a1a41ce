package io.github.untaken.benchmarks;

/** Something on the command line that cannot be done; the message is all that is shown of it. */
final class BadOption extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
        super(message);
    }
}

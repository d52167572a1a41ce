package io.github.untaken.spring.boot.setup;

import org.jspecify.annotations.Nullable;

/** A refusal at start that somebody has to do something about: what is wrong, and what to do. */
public final class UntakenSetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    public UntakenSetupException(String wrong, String action, @Nullable Throwable cause) {
        super(wrong, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}

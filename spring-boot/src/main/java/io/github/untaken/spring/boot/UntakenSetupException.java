package io.github.untaken.spring.boot;

import org.jspecify.annotations.Nullable;

/** A refusal at start that somebody has to do something about: what is wrong, and what to do. */
final class UntakenSetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    UntakenSetupException(String wrong, String action, @Nullable Throwable cause) {
        super(wrong, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}

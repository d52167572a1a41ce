package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.TransactionWrites.Outcome;

/**
 * A statement under autocommit that no event tells of. It is a transaction by itself, which is over once the statement has
 * been executed, provided that no other was prepared meanwhile: then nobody knows which of them that was.
 */
final class UnseenStatement {
    private final TransactionWrites writes;
    private boolean alone = true;
    private boolean begun;

    UnseenStatement(TransactionWrites writes) {
        this.writes = writes;
    }

    TransactionWrites writes() {
        return writes;
    }

    /** Another statement is prepared. */
    void anotherIsPrepared() {
        alone = false;
    }

    void begins() {
        begun = true;
    }

    /** Whether a statement that has just ended is this one. */
    boolean isTheOneExecuted() {
        return begun && alone;
    }

    void committed() {
        writes.end(Outcome.COMMITTED);
    }

    /** Nobody will ever tell how it ended. What was never executed has left nothing. */
    void abandon() {
        writes.end(begun ? Outcome.UNKNOWN : Outcome.ROLLED_BACK);
    }
}

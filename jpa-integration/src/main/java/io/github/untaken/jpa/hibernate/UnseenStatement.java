package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.TransactionWrites;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;

/**
 * A statement under autocommit that no event tells of. It is a transaction by itself, over once it has been executed.
 * But if another is prepared meanwhile, nobody knows which of them that was.
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

    /** Nobody will ever tell how it ended; if it was never executed, it has left nothing. */
    void abandon() {
        writes.end(begun ? Outcome.UNKNOWN : Outcome.ROLLED_BACK);
    }
}

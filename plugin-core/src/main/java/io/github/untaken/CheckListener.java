package io.github.untaken;

/**
 * Notified of what the checker does, for metrics and alarms. Never receives an identifier. Checks and answered reads
 * are reported on the thread that did the work, so these methods must be quick and must not block. All else is reported
 * in order, soon afterwards, by a thread that no one waits for; if a thousand reports are waiting, the oldest is
 * dropped. Exceptions are logged once and otherwise ignored. Implementations are thread-safe.
 */
public interface CheckListener {

    /** A check was answered. */
    default void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {}

    /**
     * A check is about to wait for the store. Called on the checking thread.
     *
     * @return what {@link #storeRead} names as the asker: anything that tells this check from others, or the kind, if
     *     that does not matter
     */
    default Object storeAsked(IdentifierKind kind) {
        return kind;
    }

    /**
     * The store was asked once, and has answered or failed. An answered read is reported on the thread that asked,
     * before any check gets the result.
     */
    default void storeRead(IdentifierKind kind, StoreRead read) {}

    /** The state changed; the reason is a sentence for people, empty for {@code READY}. */
    default void stateChanged(IdentifierKind kind, KindState state, String reason) {}

    /**
     * A committed identifier was missing from memory. It was added, and the store answers until a rescan has ended,
     * since others may be missing too; look for the cause.
     */
    default void missProved(IdentifierKind kind) {}

    /** Samples were compared; the figures are totals since the start. */
    default void audited(IdentifierKind kind, KindStats.Audit findings) {}

    /** A rebuild finished and its generation serves. */
    default void rebuilt(IdentifierKind kind, long rows, long nanos) {}
}

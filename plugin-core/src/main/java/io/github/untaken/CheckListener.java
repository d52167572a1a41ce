package io.github.untaken;

/**
 * Hears of what the checker does, for metrics and alarms. Never given an identifier. Of checks and reads it is
 * told on the thread that did the work, so there it must be quick and must not block. Of all else it is told in order, soon afterwards, by
 * a thread that nobody waits for; of a thousand pieces of news that wait the oldest is dropped. What it throws is logged once and
 * otherwise ignored. Implementations are thread-safe.
 */
public interface CheckListener {

    /** A check was answered. */
    default void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {}

    /**
     * A check is about to wait for the store. Called on the thread that checks.
     *
     * @return what {@link #storeRead} is to name as the one who asked: anything that tells this check from others, or the kind, if that
     *     does not matter
     */
    default Object storeAsked(IdentifierKind kind) {
        return kind;
    }

    /** The store was asked once, and has answered or failed. Called on the thread that asked, before any check hears of it. */
    default void storeRead(IdentifierKind kind, StoreRead read) {}

    /** The state changed; the reason is a sentence for people, empty for {@code READY}. */
    default void stateChanged(IdentifierKind kind, KindState state, String reason) {}

    /**
     * A committed identifier was found missing from memory. It was added, and the store answers until a rescan has ended, since
     * others may be missing too; look for the cause.
     */
    default void missProved(IdentifierKind kind) {}

    /** Samples were compared; the figures are totals since the start. */
    default void audited(IdentifierKind kind, KindStats.Audit findings) {}

    /** A rebuild finished and its generation serves. */
    default void rebuilt(IdentifierKind kind, long rows, long nanos) {}
}

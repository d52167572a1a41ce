package io.github.untaken;

/** How far a kind's memory can be trusted. In any state but {@link #READY} each check goes to the database. */
public enum KindState {
    /** The first scan has not finished. */
    WARMING,
    /** Answers come from memory. A rebuild may run meanwhile. */
    READY,
    /** Something may have been missed; a rebuild is under way or due. */
    DEGRADED,
    /** The checker was closed; each check is {@code UNKNOWN}. */
    CLOSED
}

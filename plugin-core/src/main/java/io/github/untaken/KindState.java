package io.github.untaken;

/** How far a kind's picture in memory can be trusted. Any state but {@link #READY} sends each check to the database. */
public enum KindState {
    /** The first scan has not finished. */
    WARMING,
    /** Answers come from memory. A rebuild may go on beside it. */
    READY,
    /** Something may have been missed; a rebuild is under way or due. */
    DEGRADED,
    /** The checker was closed; each check is {@code UNKNOWN}. */
    CLOSED
}

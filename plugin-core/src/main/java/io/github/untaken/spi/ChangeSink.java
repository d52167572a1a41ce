package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;

/**
 * The checker as a {@link ChangeFeed} sees it. One thread at a time calls {@link #registered}. Nothing here does I/O, waits for it, or
 * throws because of a value.
 */
public interface ChangeSink {

    /**
     * A value that a committed transaction has written into an identifier's column, by a new row or by an update; whether it has
     * changed does not matter. When this returns, memory holds it.
     *
     * @param value as it is stored
     */
    void registered(IdentifierKind kind, String value);

    /**
     * Commits may have been missed. From now on the store answers, until a scan has ended that begins after {@link #following}. Called
     * again before that, it says why the log is still not followed.
     *
     * @param reason which is counted for the first of such calls
     * @param detail a sentence for the operator, without any identifier
     */
    void gap(GapReason reason, String detail);

    /** Every transaction that becomes visible from now on has been told of, or will be. Also the first time. */
    void following();

    /**
     * In place of the first {@link #following}: also every transaction since the positions that {@link ChangeFeed.Resumable#resume} has
     * named will be told of, and none of them has been yet.
     */
    void resumed();
}

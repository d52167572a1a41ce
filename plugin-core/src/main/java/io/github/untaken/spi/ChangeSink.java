package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;

/**
 * The checker as a {@link ChangeFeed} sees it. One thread at a time calls {@link #registered}. Nothing here does I/O,
 * waits for it, or throws because of a value.
 */
public interface ChangeSink {

    /**
     * A committed transaction has written this value into an identifier's column, by a new row or an update; whether it
     * changed does not matter. When this returns, memory holds it.
     *
     * @param value as it is stored
     */
    void registered(IdentifierKind kind, String value);

    /**
     * Commits may have been missed. From now on the store answers, until the end of a scan that begins after
     * {@link #following}. Called again before that, it says why the log is still not followed.
     *
     * @param reason counted for the first of such calls
     * @param detail a sentence for the operator, without any identifier
     */
    void gap(GapReason reason, String detail);

    /** Every transaction that becomes visible from now on has been reported, or will be. Also called the first time. */
    void following();

    /**
     * Called instead of the first {@link #following}: every transaction since the positions given to
     * {@link ChangeFeed.Resumable#resume} will also be reported, and none of them has been yet.
     */
    void resumed();
}

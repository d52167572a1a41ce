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
     * @return a number that rises with each call, for {@link #visible}
     */
    long registered(IdentifierKind kind, String value);

    /**
     * Each read that begins from now on sees the rows of all values told up to this one. The log may be ahead of what reads see, for
     * as long as a commit waits for a standby; until this is called, a read that does not find one of them proves nothing.
     *
     * @param number what {@link #registered} has returned; a lower one than before changes nothing
     */
    void visible(long number);

    /**
     * Commits may have been missed. From now on the store answers, until a scan has ended that begins after {@link #following}.
     *
     * @param reason which is counted
     * @param detail a sentence for the operator, without any identifier
     */
    void gap(GapReason reason, String detail);

    /** Every transaction that becomes visible from now on has been told of, or will be. Also the first time. */
    void following();

    /**
     * In place of the first {@link #following}: also every transaction since the positions that {@link ChangeFeed.Resumable#resume} has
     * named will be told of, and none of them has been yet.
     *
     * @return a number for {@link #visible}, to be told once each read sees the rows of all transactions from before those positions
     */
    long resumed();
}

package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;

/**
 * What one statement, or another piece of work, may write. A source reports each text before it is sent. Whether it is
 * committed does not matter. The end of the statement is reported, so that its texts need not be kept for later scans.
 *
 * <p>Values are as they will be stored; the registry makes the keys. Not thread-safe: one caller at a time. No method
 * does I/O, waits for it, or throws because of a value. Removals need not be reported.
 */
public interface IdentifierWrite {

    /**
     * An identifier may be stored: by a new row, by a rename, or by an update that sends the identifier unchanged. Must
     * return before its SQL is sent. Reporting it more than once, or for nothing, costs at most a read at its next
     * check.
     */
    void adding(IdentifierKind kind, String value);

    /**
     * Identifiers of the kind that cannot be named are written, or may be: bulk DML, native SQL, a call. Must return
     * before the SQL is sent. From then on the store answers, until the end of a scan that begins after this is
     * {@link #over}.
     */
    void unseen(IdentifierKind kind);

    /**
     * The database is done with the statement: it returned a count, its rows were read to the end, or it was refused.
     * Its transaction may still be open. Call this only for a statement that was answered. Nothing may be added
     * afterwards.
     */
    void over();

    /**
     * The statement's transaction has ended as far as the source can see, or its connection was given back, or nothing
     * more will be reported about it. Without an earlier {@link #over}, the database may still be working on it: it
     * then counts for ten more minutes.
     */
    void ended();
}

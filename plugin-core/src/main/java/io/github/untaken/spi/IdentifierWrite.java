package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;

/**
 * What one statement, or another piece of work, may write. A source tells of each text before it is sent. Whether it is committed is
 * neither asked nor believed; when the database is done with it is told, so that it need not be kept for the scans to come.
 *
 * <p>Values are as they are about to be stored; the registry makes the keys. Not thread-safe: one caller at a time. None of the methods
 * does I/O, waits for it, or throws because of a value. What is removed need not be told of.
 */
public interface IdentifierWrite {

    /**
     * An identifier may be stored: by a new row, by a rename, or by an update that sends along the identifier it was read with. Must
     * return before its SQL is sent. Telling of it more than once, or for nothing, costs at most a read at its next check.
     */
    void adding(IdentifierKind kind, String value);

    /**
     * Identifiers of the kind are written, or may be, that nobody can name: bulk DML, native SQL, a call. Must return before the SQL is
     * sent. From then on the store answers, until a scan has ended that begins after this is {@link #over}.
     */
    void unseen(IdentifierKind kind);

    /**
     * The database is done with the statement: it returned a count, its rows were read to their end, or it was refused. Its transaction
     * may be open still. To be told only of what was answered. Nothing may be added afterwards.
     */
    void over();

    /**
     * The transaction of the statement has ended as far as the source can see, or its connection was given back, or nobody will hear
     * more of it. Without {@link #over} before it, the database may be at it still: then it counts for ten more minutes.
     */
    void ended();
}

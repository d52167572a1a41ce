package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;

/**
 * What one database transaction does to identifiers. A source tells of each write as it happens and, exactly once, of the
 * outcome; the registry applies the net effect of each key, in which an addition wins over a removal whatever their order.
 *
 * <p>Values are as stored or about to be stored; the registry makes the keys. Not thread-safe: one caller at a time. None
 * of the methods does I/O, waits for it, or throws because of a value.
 */
public interface IdentifierTransaction {

    /**
     * An identifier is about to be written: by a new row, by a rename, or by an update that sends along the identifier it was
     * read with, for somebody may have renamed the row since. Must return before its SQL is sent: the key is visible to checks
     * from then on. Telling of it more than once changes nothing.
     */
    void adding(IdentifierKind kind, String value);

    /**
     * An identifier was deleted or renamed away. After the commit one read looks whether it is free; being told of it wrongly,
     * or more than once, costs that read.
     */
    void removing(IdentifierKind kind, String value);

    /**
     * This transaction writes identifiers of the kind, or may, that nobody can name: bulk DML, native SQL, a call. Must return
     * before its SQL is sent. From then on the store answers, until a scan that begins after this transaction has ended.
     */
    void unseen(IdentifierKind kind);

    /** The commit was acknowledged. */
    void committed();

    /** The transaction certainly left nothing: it was rolled back and no COMMIT was ever sent. */
    void rolledBack();

    /** Nobody knows: COMMIT was sent and not acknowledged, or the session was abandoned. */
    void unknown();
}

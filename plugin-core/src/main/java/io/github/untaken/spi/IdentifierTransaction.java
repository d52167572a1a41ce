package io.github.untaken.spi;

/**
 * What one database transaction does to identifiers. A source tells of each write as it happens and, exactly once, of the
 * outcome; the registry applies the net effect of each key, in which an addition wins over a removal whatever their order.
 *
 * <p>Values are as stored or about to be stored; the registry makes the keys. Not thread-safe: one caller at a time. None
 * of the methods does I/O, waits for it, or throws because of a value.
 */
public interface IdentifierTransaction {

    /**
     * An identifier is about to be written. Must return before its SQL is sent: the key is visible to checks from then on.
     * Call it once for each row.
     */
    void adding(IdentifierKind kind, String value);

    /**
     * A row is about to be written with the identifier it was read with, without a check that nobody changed it meanwhile:
     * an update that writes every column. If another transaction has renamed the row since, the old name is there again.
     * Must return before its SQL is sent. A copy is added on commit only where the present one was taken out.
     *
     * <p>By default the same as {@link #adding}, which leaves a copy too many at each call.
     */
    default void rewriting(IdentifierKind kind, String value) {
        adding(kind, value);
    }

    /**
     * An identifier was deleted or renamed away.
     *
     * @param proved whether the source knows that exactly this row changed (checked row count, known old value); without
     *     it the copy in memory stays until the next rebuild
     */
    void removing(IdentifierKind kind, String value, boolean proved);

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

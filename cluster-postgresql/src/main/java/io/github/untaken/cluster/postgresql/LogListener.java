package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/** Who is told what the log holds: whole committed transactions, one after the other, in the order of their commits. */
interface LogListener {
    /** @param xid the lower 32 bits of its number */
    void begins(int xid);

    void wrote(IdentifierKind kind, String value);

    /** A message that belongs to the transaction, of whatever program. */
    void message(String prefix, byte[] content);

    /** @param end where the log goes on after it */
    void committed(long end);
}

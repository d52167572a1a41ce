package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/** Hears what the log holds: whole committed transactions, one after the other, in commit order. */
interface LogListener {
    /** A value in a row that a transaction has inserted or updated. */
    void wrote(IdentifierKind kind, String value);

    /** A message from any program. It belongs to a transaction, or stands between two; then {@link #passed} follows. */
    void message(String prefix, byte[] content);

    /** Something stands at this place, between two transactions. */
    void passed(long place);

    /** That was all of it; {@code end} is where the log goes on. */
    void committed(long end);
}

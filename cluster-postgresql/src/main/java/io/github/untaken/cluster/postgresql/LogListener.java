package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/** Who is told what the log holds: whole committed transactions, one after the other, in the order of their commits. */
interface LogListener {
    /** A value in a row that a transaction has inserted or updated. */
    void wrote(IdentifierKind kind, String value);

    /** A message of whatever program. It belongs to a transaction, or stands between two of them, and then {@link #passed} follows. */
    void message(String prefix, byte[] content);

    /** Between two transactions something stands at this place. */
    void passed(long place);

    /** That was all of it; {@code end} is where the log goes on. */
    void committed(long end);
}

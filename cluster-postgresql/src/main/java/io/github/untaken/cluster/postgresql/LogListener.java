package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/** Who is told what the log holds: whole committed transactions, one after the other, in the order of their commits. */
interface LogListener {
    /** A value in a row that a transaction has inserted or updated. */
    void wrote(IdentifierKind kind, String value);

    /** A message that belongs to it, of whatever program. */
    void message(String prefix, byte[] content);

    /** Between two transactions something stands at this place that is for others. */
    void passed(long place);

    /** That was all of it; {@code end} is where the log goes on. */
    void committed(long end);
}

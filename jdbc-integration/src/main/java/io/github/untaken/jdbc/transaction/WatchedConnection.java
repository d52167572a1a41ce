package io.github.untaken.jdbc.transaction;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.util.Set;

/** A connection over which each text is read before it is sent, so that nobody else has to read it. */
public interface WatchedConnection {
    /**
     * The kinds of which every write over this connection is told to the checker that hears the other source, too; none while no checker
     * hears both.
     *
     * @param other the transactions of a source that would tell of the same texts
     * @param tables where that source has its identifiers
     */
    Set<IdentifierKind> toldTo(OpenTransactions other, WatchedTables tables);
}

package io.github.untaken.jdbc.writer;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.watch.OpenTransactions;
import java.util.Set;

/**
 * What a mark of this process stands for: a source, and what it tells of one column.
 *
 * @param kinds the kinds that the column's writes are told under
 */
public record MarkedWriter(OpenTransactions writes, Set<IdentifierKind> kinds) {

    /** Whether one checker hears both, and this one tells its writes under all kinds that the other has. */
    public boolean tellsAllTo(MarkedWriter other) {
        return writes.isHeardWith(other.writes) && kinds.containsAll(other.kinds);
    }
}

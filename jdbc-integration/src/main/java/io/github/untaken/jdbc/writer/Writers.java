package io.github.untaken.jdbc.writer;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Polling;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Where a database shows who has written and not ended yet, or waits to write. */
interface Writers {

    /**
     * What one look has shown.
     *
     * @param missing why nobody can tell, as the beginning of a sentence; null if it can be told
     * @param fresh whether the look proved that it saw all of this moment; nothing else is believed
     * @param open who to wait for: an id that stays the same until the end, and the name for messages
     * @param there which of those are still there
     */
    record Look(@Nullable String missing, boolean fresh, Map<String, String> open, Set<String> there) {
        /** A look that has not proved itself. */
        static final Look STALE = new Look(null, false, Map.of(), Set.of());

        static Look missing(String what) {
            return new Look(what, false, Map.of(), Set.of());
        }

        static Look of(Map<String, String> open) {
            return new Look(null, true, open, open.keySet());
        }
    }

    /** Runs in a transaction of its own, and may roll it back. */
    Look look(IdentifierColumn column, Connection connection) throws SQLException;

    /** How many milliseconds to wait after each look. */
    default LongSupplier intervals() {
        return Polling.steadily();
    }

    /** What keeps a look from proving itself. */
    default String whyNotFresh() {
        return "the open transactions could not be listed";
    }
}

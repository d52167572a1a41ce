package io.github.untaken.cluster.postgresql;

import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.replication.PGReplicationStream;

/**
 * What the reading thread does while nothing comes. If nobody waits for a mark it sleeps a little; whoever wants one wakes it.
 *
 * <p>If a mark is out, it pushes: PostgreSQL 16 to 18 may miss that the log has grown just before its sender fell asleep, and then sleeps
 * until something else is written, for 15 seconds on a quiet server. A message of ours wakes it.
 */
final class Idleness {
    private static final long SLEEP_NANOS = 20_000_000;
    private static final long FIRST_PUSH_NANOS = 3_000_000;
    private static final long MOST_BETWEEN_NANOS = 200_000_000;

    private final PGReplicationStream stream;
    private final Marks marks;
    private boolean isDue;
    private long pushAt;
    private long between;

    Idleness(PGReplicationStream stream, Marks marks) {
        this.stream = stream;
        this.marks = marks;
    }

    /** Nothing has come for a millisecond. */
    void pass() throws SQLException {
        if (!marks.areAwaited()) {
            end();
            LockSupport.parkNanos(SLEEP_NANOS);
            return;
        }
        if (!marks.areDue()) {
            end();
            return;
        }
        long now = System.nanoTime();
        if (!isDue) {
            isDue = true;
            between = FIRST_PUSH_NANOS;
            pushAt = now + between;
        } else if (now - pushAt >= 0) {
            stream.forceUpdateStatus();
            between = Math.min(MOST_BETWEEN_NANOS, 2 * between);
            pushAt = now + between;
        }
    }

    /** Something has come. */
    void end() {
        isDue = false;
    }
}

package io.github.untaken.jpa.hibernate.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.hibernate.sql.model.MutationOperationGroup;
import org.jspecify.annotations.Nullable;

/**
 * The writes of entities and element collections that one session is in the middle of: begun by a PRE event, over with
 * the POST event, with a failure, a flush or the transaction. Each vouches for what Hibernate executes for its entity,
 * and for nothing that is prepared at another moment, however alike it looks.
 *
 * <p>Belongs to the session's thread.
 */
public final class PendingEvents {
    private static final int MOST = 1_000;

    private final Deque<OwnStatements> events = new ArrayDeque<>(1);
    private @Nullable MutationOperationGroup executed;

    /** What Hibernate executes; it may fail. */
    public interface Execution<T> {
        T run();
    }

    /** A PRE event came. Of more than 1,000 the oldest is forgotten, and vouches for nothing any more. */
    public void begin(OwnStatements statements) {
        if (events.size() == MOST) {
            events.removeLast();
        }
        events.push(statements);
    }

    /** Ends the newest of these, and what was begun inside it and never ended. */
    public void end(OwnStatements statements) {
        if (events.contains(statements)) {
            while (events.pop() != statements) {
                // what was begun inside
            }
        }
    }

    /** The newest that is of a collection; null if none is. */
    public @Nullable OwnStatements newestOfCollection() {
        for (OwnStatements pending : events) {
            if (pending.areOfCollection()) {
                return pending;
            }
        }
        return null;
    }

    /** None of them is written any more. */
    public void clear() {
        events.clear();
    }

    /** Whether the session is in the middle of none. */
    public boolean isEmpty() {
        return events.isEmpty();
    }

    /**
     * Runs what sends the statements of one write: only meanwhile are they known to be Hibernate's own. A failure ends
     * the event.
     */
    public <T> T execute(MutationOperationGroup group, Execution<T> execution) {
        MutationOperationGroup outer = executed;
        executed = group;
        boolean done = false;
        try {
            T result = execution.run();
            done = true;
            return result;
        } finally {
            executed = outer;
            if (!done) {
                fail(group);
            }
        }
    }

    private void fail(MutationOperationGroup group) {
        for (Iterator<OwnStatements> each = events.iterator(); each.hasNext(); ) {
            if (each.next().areThoseOf(group)) {
                each.remove();
                return;
            }
        }
    }

    /**
     * The event that vouches for a statement; null if there is none.
     *
     * @param filledIn whether the database may have a value for a column that is left out
     */
    public @Nullable OwnStatements voucher(
            InspectedStatement statement, Judgement judgement, Predicate<IdentifierColumn> filledIn) {
        MutationOperationGroup group = executed;
        if (group == null || !statement.isUnchanged()) {
            return null;
        }
        for (OwnStatements pending : events) {
            if (pending.areThoseOf(group)) {
                return pending.announce(group, judgement, filledIn) ? pending : null;
            }
        }
        return null;
    }
}

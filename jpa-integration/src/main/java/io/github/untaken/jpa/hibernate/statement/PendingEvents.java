package io.github.untaken.jpa.hibernate.statement;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The writes of entities and element collections that one session is in the middle of: begun by a PRE event, over with the
 * POST event, a flush or the transaction. Each lets the statements of its entity pass, each once: JDBC batches prepare one
 * for many events, and nothing prepares one twice for a single event, except for the rows of a collection. What failed
 * half-way stays until the flush ends, and lets nothing pass that it has let pass before.
 */
public final class PendingEvents {
    private static final int MOST = 1_000;

    private final Deque<Pending> events = new ArrayDeque<>(1);

    private record Pending(OwnStatements.Event event, OwnStatements statements, Set<String> passed) {}

    public void begin(OwnStatements.Event event, OwnStatements statements) {
        if (events.size() == MOST) {
            events.removeLast();
        }
        events.push(new Pending(event, statements, new HashSet<>(1)));
    }

    /** The newest of its like, and what was begun inside it and never ended. */
    public void end(OwnStatements.Event event, OwnStatements statements) {
        if (events.stream().anyMatch(each -> isLike(each, event, statements))) {
            while (!isLike(Objects.requireNonNull(events.peek()), event, statements)) {
                events.pop();
            }
            events.pop();
        }
    }

    private static boolean isLike(Pending pending, OwnStatements.Event event, OwnStatements statements) {
        return pending.event() == event && pending.statements() == statements;
    }

    public void clear() {
        events.clear();
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    /** Whether the statement belongs to one of them. */
    public boolean letPass(InspectedStatement statement) {
        for (Pending pending : events) {
            if (pending.statements().include(pending.event(), statement)
                    && (pending.event() == OwnStatements.Event.COLLECTION
                            || pending.passed().add(statement.sent()))) {
                return true;
            }
        }
        return false;
    }
}

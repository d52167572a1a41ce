package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.statement.StatementReading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is about to be sent by one call: a statement, or a batch of some. */
final class Execution {
    private record Added(IdentifierKind kind, String value) {
        @Override
        public String toString() {
            return kind + " ***";
        }
    }

    private final List<Added> added = new ArrayList<>(1);
    private Set<IdentifierKind> unseen = Set.of(); // nothing, for most
    private boolean mistrusted;

    void add(StatementReading reading, BoundValues bound, Watch watch) {
        if (reading.isNothing()) {
            return;
        }
        judge(reading, watch);
        for (StatementReading.Value value : reading.values()) {
            if (value.text() != null) {
                added.add(new Added(value.kind(), value.text()));
            } else if (!bound.isText(value.parameter())) {
                unseen(Set.of(value.kind()));
            } else {
                add(value.kind(), bound.text(value.parameter()));
            }
        }
    }

    /** Without the values. */
    void judge(StatementReading reading, Watch watch) {
        if (!reading.isNothing()) {
            mistrusted |= reading.judgement().mistrusted();
            unseen(watch.unseenOf(reading));
        }
    }

    private void add(IdentifierKind kind, @Nullable String value) {
        if (value != null) {
            added.add(new Added(kind, value));
        }
    }

    private void unseen(Set<IdentifierKind> kinds) {
        if (!unseen.containsAll(kinds)) {
            unseen = new HashSet<>(unseen);
            unseen.addAll(kinds);
        }
    }

    boolean writesNothing() {
        return added.isEmpty() && unseen.isEmpty();
    }

    /** Whether it may define data, or begin or end a transaction. */
    boolean isMistrusted() {
        return mistrusted;
    }

    void forEachAdded(BiConsumer<IdentifierKind, String> action) {
        added.forEach(each -> action.accept(each.kind(), each.value()));
    }

    Set<IdentifierKind> unseen() {
        return unseen;
    }
}

package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.statement.Judgement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

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

    void add(Judgement judgement, BoundValues bound) {
        if (judgement.isNothing()) {
            return;
        }
        judge(judgement);
        for (Judgement.Value value : judgement.values()) {
            boolean isText = value.text() != null || bound.isText(value.parameter());
            String text = value.text() == null ? bound.text(value.parameter()) : value.text();
            if (!isText || text != null && text.length() > value.most()) {
                unseen(Set.of(value.kind()));
            } else if (text != null) {
                added.add(new Added(value.kind(), text));
            }
        }
    }

    /** Without the values. */
    void judge(Judgement judgement) {
        if (!judgement.isNothing()) {
            mistrusted |= judgement.mistrusted();
            unseen(judgement.unseen());
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

package io.github.untaken.jdbc.watch;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.watch.OpenWrite.Identifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** What one call is about to send: a statement or a batch. */
final class Execution {
    private final Set<Identifier> added = new LinkedHashSet<>(2);
    private Set<IdentifierKind> unseen = Set.of(); // empty for most
    private boolean mistrusted;

    void add(Judgement judgement, BoundValues bound) {
        judge(judgement);
        for (Judgement.Value value : judgement.values()) {
            if (value.text() == null) {
                add(value, bound.at(value.parameter()));
            }
        }
    }

    /** Without the bound values, which stay the same whatever a look shows. */
    void judge(Judgement judgement) {
        if (judgement.isNothing()) {
            return;
        }
        mistrusted |= judgement.mistrusted();
        unseen(judgement.unseen());
        for (Judgement.Value value : judgement.values()) {
            if (value.text() != null) {
                add(value, new BoundValues.Bound(true, value.text()));
            }
        }
    }

    private void add(Judgement.Value value, BoundValues.Bound bound) {
        String text = bound.text();
        if (!bound.isText() || text != null && text.length() > value.most()) {
            unseen(Set.of(value.kind()));
        } else if (text != null) {
            added.add(new Identifier(value.kind(), text));
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

    Set<Identifier> added() {
        return added;
    }

    Set<IdentifierKind> unseen() {
        return unseen;
    }
}

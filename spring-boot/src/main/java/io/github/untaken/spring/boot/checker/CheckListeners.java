package io.github.untaken.spring.boot.checker;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import java.util.List;

/** All listeners of the application as the one that the checker takes. The last that names who asked the store counts. */
record CheckListeners(List<CheckListener> all) implements CheckListener {

    static CheckListener of(List<CheckListener> all) {
        return all.size() == 1 ? all.get(0) : new CheckListeners(all);
    }

    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        for (CheckListener each : all) {
            each.checked(kind, status, decidedBy);
        }
    }

    @Override
    public Object storeAsked(IdentifierKind kind) {
        Object named = kind;
        for (CheckListener each : all) {
            Object asker = each.storeAsked(kind);
            named = asker.equals(kind) ? named : asker;
        }
        return named;
    }

    @Override
    public void storeRead(IdentifierKind kind, StoreRead read) {
        all.forEach(each -> each.storeRead(kind, read));
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        all.forEach(each -> each.stateChanged(kind, state, reason));
    }

    @Override
    public void missProved(IdentifierKind kind) {
        all.forEach(each -> each.missProved(kind));
    }

    @Override
    public void audited(IdentifierKind kind, KindStats.Audit findings) {
        all.forEach(each -> each.audited(kind, findings));
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        all.forEach(each -> each.rebuilt(kind, rows, nanos));
    }
}

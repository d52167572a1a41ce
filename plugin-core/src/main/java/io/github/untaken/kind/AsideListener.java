package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.fault.Teller;

/**
 * Reports checks and answered reads to a listener at once. What happens under locks, in commits, in scans and on the
 * clock is reported on a thread of its own.
 */
public final class AsideListener implements CheckListener {
    private final CheckListener listener;
    private final Teller teller = new Teller("untaken-listener");

    /** @param listener throws nothing */
    public AsideListener(CheckListener listener) {
        this.listener = listener;
    }

    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        listener.checked(kind, status, decidedBy);
    }

    @Override
    public Object storeAsked(IdentifierKind kind) {
        return listener.storeAsked(kind);
    }

    @Override
    public void storeRead(IdentifierKind kind, StoreRead read) {
        if (read.succeeded()) {
            listener.storeRead(kind, read);
        } else {
            teller.tell(() -> listener.storeRead(kind, read)); // reads that do not come back are reported by the clock
        }
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        teller.tell(() -> listener.stateChanged(kind, state, reason));
    }

    @Override
    public void missProved(IdentifierKind kind) {
        teller.tell(() -> listener.missProved(kind));
    }

    @Override
    public void audited(IdentifierKind kind, KindStats.Audit findings) {
        teller.tell(() -> listener.audited(kind, findings));
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        teller.tell(() -> listener.rebuilt(kind, rows, nanos));
    }
}

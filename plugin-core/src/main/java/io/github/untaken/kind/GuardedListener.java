package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.fault.FaultLog;
import java.util.Objects;

/** Keeps a listener's exceptions away from the checks: each fault is logged once, with the listener's class. */
public final class GuardedListener implements CheckListener {
    private final CheckListener listener;
    private final FaultLog faults = new FaultLog("io.github.untaken");

    public GuardedListener(CheckListener listener) {
        this.listener = listener;
    }

    // Written out, unlike the others: it runs for each check, which allocates nothing but its verdict.
    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        try {
            listener.checked(kind, status, decidedBy);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public Object storeAsked(IdentifierKind kind) {
        try {
            return Objects.requireNonNull(listener.storeAsked(kind), "storeAsked returned null");
        } catch (RuntimeException | Error e) {
            failed(e);
            return kind;
        }
    }

    @Override
    public void storeRead(IdentifierKind kind, StoreRead read) {
        guarded(() -> listener.storeRead(kind, read));
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        guarded(() -> listener.stateChanged(kind, state, reason));
    }

    @Override
    public void missProved(IdentifierKind kind) {
        guarded(() -> listener.missProved(kind));
    }

    @Override
    public void audited(IdentifierKind kind, KindStats.Audit findings) {
        guarded(() -> listener.audited(kind, findings));
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        guarded(() -> listener.rebuilt(kind, rows, nanos));
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        faults.failed("The check listener " + listener.getClass().getName(), e);
    }
}

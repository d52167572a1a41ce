package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.fault.Teller;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Keeps a listener's exceptions away from the checks: each fault is logged once, with the listener's class. Checks and
 * answered reads are reported at once. What happens under locks, in commits, in scans and on the clock is reported
 * aside.
 */
public final class GuardedListener implements CheckListener {
    private final CheckListener listener;
    private final Executor aside;
    private final FaultLog faults = new FaultLog("io.github.untaken");

    /** Aside is a thread of its own. */
    public GuardedListener(CheckListener listener) {
        this(listener, new Teller("untaken-listener")::tell);
    }

    GuardedListener(CheckListener listener, Executor aside) {
        this.listener = listener;
        this.aside = aside;
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
        if (read.succeeded()) {
            guarded(() -> listener.storeRead(kind, read));
        } else {
            aside(() -> listener.storeRead(kind, read)); // reads that do not come back are reported by the clock
        }
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        aside(() -> listener.stateChanged(kind, state, reason));
    }

    @Override
    public void missProved(IdentifierKind kind) {
        aside(() -> listener.missProved(kind));
    }

    @Override
    public void audited(IdentifierKind kind, KindStats.Audit findings) {
        aside(() -> listener.audited(kind, findings));
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        aside(() -> listener.rebuilt(kind, rows, nanos));
    }

    private void aside(Runnable call) {
        aside.execute(() -> guarded(call));
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

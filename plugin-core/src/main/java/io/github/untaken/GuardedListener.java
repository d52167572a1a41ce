package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;
import java.util.concurrent.atomic.LongAdder;

/** Keeps a listener's exceptions away from the checks: counted, and the first one logged with the listener's class. */
final class GuardedListener implements CheckListener {
    private static final System.Logger LOG = System.getLogger("io.github.untaken");

    private final CheckListener listener;
    private final LongAdder failures = new LongAdder();

    GuardedListener(CheckListener listener) {
        this.listener = listener;
    }

    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        try {
            listener.checked(kind, status, decidedBy);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void storeRead(IdentifierKind kind, long nanos, boolean succeeded) {
        try {
            listener.storeRead(kind, nanos, succeeded);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void stateChanged(IdentifierKind kind, RegistryState state, String reason) {
        try {
            listener.stateChanged(kind, state, reason);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void missProved(IdentifierKind kind) {
        try {
            listener.missProved(kind);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        try {
            listener.rebuilt(kind, rows, nanos);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException e) {
        boolean first = failures.sum() == 0;
        failures.increment();
        if (first) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The check listener " + listener.getClass().getName() + " failed; later failures are only counted",
                    e);
        }
    }
}

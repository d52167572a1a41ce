package io.github.untaken.sample.experiment;

import java.util.function.BooleanSupplier;

/** Where somebody waits for a state of the registries and whoever changes one says so. Thread-safe. */
public final class Readiness {

    /** Something changed: those who wait look again. Does not block. */
    public synchronized void changed() {
        notifyAll();
    }

    /** Returns when the condition holds, which is looked at now and after each change. */
    synchronized void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            wait();
        }
    }
}

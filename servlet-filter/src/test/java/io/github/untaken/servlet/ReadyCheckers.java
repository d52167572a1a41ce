package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.CheckListener;
import io.github.untaken.RegistryState;
import io.github.untaken.spi.IdentifierKind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what happens in the background, at most twenty seconds, or what {@code test.patience} says. */
final class ReadyCheckers {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("test.patience", 20));

    private ReadyCheckers() {}

    /** Builds, and returns when every kind answers from memory. */
    static AvailabilityChecker ready(AvailabilityCheckerBuilder builder) {
        Set<IdentifierKind> ready = ConcurrentHashMap.newKeySet();
        AvailabilityChecker checker = builder.recheckTimeout(Duration.ofSeconds(20)) // a slow read is no outage here
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, RegistryState state, String reason) {
                        if (state == RegistryState.READY) {
                            ready.add(kind);
                        }
                    }
                })
                .build();
        eventually("every kind is READY", () -> ready.containsAll(checker.kinds()));
        return checker;
    }

    static void eventually(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new WaitedInVain("after all patience still not: " + what);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Of a type of its own, because it may say more of the machine than of the code. */
    private static final class WaitedInVain extends AssertionError {
        private static final long serialVersionUID = 1L;

        WaitedInVain(String message) {
            super(message);
        }
    }
}

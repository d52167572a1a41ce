package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Checkers that have done what they do in the background when they begin. */
final class ReadyCheckers {
    private ReadyCheckers() {}

    /** Builds, and returns when every kind answers from memory. */
    static AvailabilityChecker ready(AvailabilityCheckerBuilder builder) {
        Set<IdentifierKind> ready = ConcurrentHashMap.newKeySet();
        AvailabilityChecker checker = builder.recheckTimeout(Duration.ofSeconds(20)) // a slow read is no outage here
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        if (state == KindState.READY) {
                            ready.add(kind);
                        }
                    }
                })
                .build();
        Eventually.holds("every kind is READY", () -> ready.containsAll(checker.kinds()));
        return checker;
    }
}

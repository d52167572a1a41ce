package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.IdentifierKind.USERNAME;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The checker with all its default rules, as an endpoint asks it; beside it the filter alone, filled with the same keys, as {@link
 * #mightContain} asks it.
 */
final class WholeCheck extends Subject implements CheckingSubject {
    private static final long PATIENCE_SECONDS = 60;

    private final Subject filter;
    private final AvailabilityChecker checker;

    WholeCheck(int keys) {
        filter = UntakenSubject.of(UntakenFilters.HASHER, MembershipFilters.cuckoo(keys));
        checker = AvailabilityChecker.builder()
                .store(USERNAME, new ToBeFilled(keys))
                .build();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (checker.state(USERNAME) != KindState.READY) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the checker is not ready: " + checker.stats(USERNAME));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** It announces as many keys as will come, and holds none. */
    private record ToBeFilled(long count) implements RegisteredIdentifierStore.Counted {
        @Override
        public boolean exists(String key, Duration timeout) {
            return false;
        }

        @Override
        public void scan(Consumer<String> values) {}
    }

    @Override
    public boolean add(String key) {
        checker.registrations().announce(USERNAME, key).close();
        return filter.add(key);
    }

    @Override
    public boolean mightContain(String key) {
        return filter.mightContain(key);
    }

    @Override
    public Verdict check(String key) {
        return checker.check(USERNAME, key);
    }

    @Override
    public void close() {
        checker.close();
    }
}

package io.github.untaken.jpa;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.Eventually;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes checkers whose every kind folds to lower case, and waits for them. */
final class ReadyCheckers {
    private ReadyCheckers() {}

    /** Without marks: a busy machine may not answer in time that nobody else writes. */
    static AvailabilityChecker on(IdentifierSource... sources) {
        return ready(starting(sources));
    }

    /** Each marks itself as a writer of its database. */
    static AvailabilityChecker marked(IdentifierSource... sources) {
        return ready(starting(true, sources));
    }

    private static AvailabilityChecker ready(AvailabilityChecker checker) {
        Eventually.holds(
                "ready", () -> checker.kinds().stream().allMatch(kind -> checker.state(kind) == KindState.READY));
        return checker;
    }

    static AvailabilityChecker starting(IdentifierSource... sources) {
        return starting(false, sources);
    }

    private static AvailabilityChecker starting(boolean marked, IdentifierSource... sources) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(marked)
                .rescanInterval(Duration.ofDays(1));
        Set<IdentifierKind> kinds = new HashSet<>();
        for (IdentifierSource source : sources) {
            builder.source(source);
            kinds.addAll(source.stores().keySet());
        }
        kinds.forEach(kind -> builder.normalizer(kind, new Folding()));
        return builder.build();
    }

    static void rescan(AvailabilityChecker checker, IdentifierKind kind) {
        long asked = System.nanoTime();
        checker.rescan(kind);
        Eventually.holds("swapped", () -> scannedSince(asked, checker, kind) && checker.state(kind) == KindState.READY);
    }

    /** Whether the last scan that has ended began after that time. */
    static boolean scannedSince(long nanos, AvailabilityChecker checker, IdentifierKind kind) {
        long now = System.nanoTime();
        return checker.stats(kind).scans().sinceLast().orElseThrow().toNanos() < now - nanos;
    }

    /**
     * A store that can do all that this one can, except have its database compare values: that takes a question for
     * each of some seventy pairs before a checker's first scan, which is most of the time of a test that starts many
     * checkers.
     */
    static RegisteredIdentifierStore withoutComparison(RegisteredIdentifierStore store) {
        Set<Class<?>> abilities = new HashSet<>(Set.of(RegisteredIdentifierStore.class));
        for (Class<?> type = store.getClass(); type != null; type = type.getSuperclass()) {
            abilities.addAll(List.of(type.getInterfaces()));
        }
        abilities.removeIf(RegisteredIdentifierStore.Comparing.class::isAssignableFrom);
        return (RegisteredIdentifierStore) Proxy.newProxyInstance(
                RegisteredIdentifierStore.class.getClassLoader(),
                abilities.toArray(Class<?>[]::new),
                (self, method, arguments) -> {
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The events of a source, with each of its stores replaced. */
    static IdentifierSource withStores(IdentifierSource source, UnaryOperator<RegisteredIdentifierStore> replacement) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new HashMap<>();
        source.stores()
                .forEach((kind, each) ->
                        stores.put(kind, each.stream().map(replacement).toList()));
        return source.withStores(stores);
    }
}

package io.github.untaken.jpa;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.RegistryState;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.Eventually;
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

    static AvailabilityChecker on(IdentifierSource... sources) {
        AvailabilityChecker checker = starting(sources);
        Eventually.holds(
                "ready", () -> checker.kinds().stream().allMatch(kind -> checker.state(kind) == RegistryState.READY));
        return checker;
    }

    static AvailabilityChecker starting(IdentifierSource... sources) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .recheckTimeout(Duration.ofSeconds(20))
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
        long epoch = checker.stats(kind).epoch();
        checker.rescan(kind);
        Eventually.holds(
                "swapped", () -> checker.stats(kind).epoch() > epoch && checker.state(kind) == RegistryState.READY);
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

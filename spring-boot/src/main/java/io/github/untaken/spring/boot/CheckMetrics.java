package io.github.untaken.spring.boot;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts what the checker does. A check costs one look into a map and one increment. */
final class CheckMetrics implements CheckListener {
    private final MeterRegistry registry;
    private final Map<Outcome, Counter> checks = new ConcurrentHashMap<>();
    private final Map<IdentifierKind, Meters> byKind = new ConcurrentHashMap<>();

    private record Outcome(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {}

    private record Meters(Timer reads, Timer failedReads, Counter readKeys, Timer rebuilds) {}

    CheckMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        Outcome outcome = new Outcome(kind, status, decidedBy);
        Counter known = checks.get(outcome);
        (known != null ? known : checks.computeIfAbsent(outcome, this::checks)).increment();
    }

    @Override
    public void storeRead(IdentifierKind kind, StoreRead read) {
        Meters meters = metersOf(kind);
        (read.succeeded() ? meters.reads : meters.failedReads).record(read.nanos(), TimeUnit.NANOSECONDS);
        meters.readKeys.increment(read.keys());
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        Counter.builder("untaken.state.changes")
                .description("Changes of state, by the new one")
                .tag("kind", kind.name())
                .tag("state", lower(state))
                .register(registry)
                .increment();
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        metersOf(kind).rebuilds.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Meters metersOf(IdentifierKind kind) {
        Meters known = byKind.get(kind);
        return known != null ? known : byKind.computeIfAbsent(kind, this::metersFor);
    }

    private Meters metersFor(IdentifierKind kind) {
        return new Meters(
                reads(kind, "success"),
                reads(kind, "failure"),
                Counter.builder("untaken.store.keys")
                        .description("Keys that the store was asked for; one read may be for many")
                        .tag("kind", kind.name())
                        .register(registry),
                Timer.builder("untaken.rebuilds")
                        .description("Rebuilds that ended, from the barrier to the swap")
                        .tag("kind", kind.name())
                        .register(registry));
    }

    private Counter checks(Outcome outcome) {
        return Counter.builder("untaken.checks")
                .description("Checks answered, by status and by what decided")
                .tag("kind", outcome.kind().name())
                .tag("status", lower(outcome.status()))
                .tag("decided.by", lower(outcome.decidedBy()))
                .register(registry);
    }

    private Timer reads(IdentifierKind kind, String outcome) {
        return Timer.builder("untaken.store.reads")
                .description("Reads of the store for checks and for what became of registrations")
                .tags("kind", kind.name(), "outcome", outcome)
                .register(registry);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

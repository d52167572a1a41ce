package io.github.untaken.spring.boot.monitoring;

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
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Counts what the checker does. A check costs one map lookup and one increment, and allocates nothing. */
final class CheckMetrics implements CheckListener {
    private static final int DECIDERS = Verdict.DecidedBy.values().length;

    private final MeterRegistry registry;
    private final Map<IdentifierKind, Meters> byKind = new ConcurrentHashMap<>();

    /** @param checks by status and by what decided, each counter made when it is first needed */
    private record Meters(
            AtomicReferenceArray<@Nullable Counter> checks,
            Timer reads,
            Timer failedReads,
            Counter readKeys,
            Timer rebuilds) {}

    CheckMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        AtomicReferenceArray<@Nullable Counter> checks = metersOf(kind).checks;
        int place = place(status, decidedBy);
        Counter known = checks.get(place);
        if (known == null) {
            known = checks(
                    kind, status, decidedBy); // the registry gives the same one to whoever comes at the same time
            checks.set(place, known);
        }
        known.increment();
    }

    @SuppressWarnings("EnumOrdinal") // within this object only
    private static int place(Verdict.Status status, Verdict.DecidedBy decidedBy) {
        return status.ordinal() * DECIDERS + decidedBy.ordinal();
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
                new AtomicReferenceArray<>(Verdict.Status.values().length * DECIDERS),
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

    private Counter checks(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy decidedBy) {
        return Counter.builder("untaken.checks")
                .description("Checks answered, by status and by what decided")
                .tag("kind", kind.name())
                .tag("status", lower(status))
                .tag("decided.by", lower(decidedBy))
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

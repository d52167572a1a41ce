package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.spi.GapReason;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The figures of each kind, asked when somebody looks. */
final class KindGauges implements MeterBinder {
    private final ObjectProvider<AvailabilityChecker> checker;

    KindGauges(ObjectProvider<AvailabilityChecker> checker) {
        this.checker = checker;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        AvailabilityChecker asked = checker.getIfAvailable();
        if (asked != null) {
            asked.kinds().forEach(kind -> bind(registry, asked, kind));
        }
    }

    private static void bind(MeterRegistry registry, AvailabilityChecker asked, IdentifierKind kind) {
        Of of = new Of(registry, asked, kind);
        of.gauge("untaken.ready", null, "1 while answers come from memory", s -> s.state() == KindState.READY ? 1 : 0);
        of.gauge(
                "untaken.entries",
                null,
                "Entries of the serving membership filter",
                s -> s.memory().entries());
        of.gauge(
                "untaken.memory",
                "bytes",
                "Memory of the membership filter and what stands beside it",
                s -> s.memory().bytes());
        of.gauge(
                "untaken.look.age",
                "seconds",
                "Time since the last good look at the tables was sent",
                s -> s.sinceLastLook().map(age -> age.toNanos() / 1e9).orElse(Double.NaN));
        of.gauge(
                "untaken.variants",
                null,
                "Stored values in another spelling than their key",
                s -> s.memory().variants());
        of.gauge(
                "untaken.open",
                null,
                "Texts of statements under way",
                s -> s.underWay().open());
        of.gauge(
                "untaken.mentioned",
                null,
                "Texts that watched requests under way mention",
                s -> s.underWay().mentioned());
        of.gauge(
                "untaken.lingering",
                null,
                "Statements that were never answered",
                s -> s.underWay().lingering());
        of.gauge(
                "untaken.told",
                null,
                "Names told since the last scan or renewal",
                s -> s.memory().told());
        of.gauge(
                "untaken.whitelisted",
                null,
                "Names proved absent",
                s -> s.memory().whitelisted());
        of.gauge(
                "untaken.store.queue",
                null,
                "Store reads that wait for a thread",
                s -> s.reads().waiting());
        of.gauge(
                "untaken.audit.false.positive.rate",
                null,
                "Share of free keys that would cost a read, as sampled",
                s -> s.audit().falsePositiveRate());
        of.gauge(
                "untaken.audit.false.negative.rate",
                null,
                "Share of committed rows that memory did not know, as sampled; look for the cause of anything but 0",
                s -> s.audit().falseNegativeRate());
        of.counter(
                "untaken.renewals",
                "Times that told and whitelisted names were cleared",
                s -> s.memory().renewals());
        of.counter("untaken.misses", "Committed identifiers found missing from memory", KindStats::missesProved);
        of.counter(
                "untaken.checks.refused",
                "Checks that found the queue full",
                s -> s.answers().refused());
        of.counter(
                "untaken.checks.timed.out",
                "Checks that waited for the store until they timed out",
                s -> s.answers().timedOut());
        of.counter(
                "untaken.scans.failed",
                "Scans that did not reach their end",
                s -> s.scans().failed());
        if (asked.stats(kind).following().isPresent()) {
            bindFollowing(of);
        }
        TimeGauge.builder(
                        "untaken.scan.age",
                        asked,
                        TimeUnit.SECONDS,
                        c -> c.stats(kind)
                                .scans()
                                .sinceLast()
                                .map(age -> age.toMillis() / 1000.0)
                                .orElse(Double.NaN))
                .description("Time since the last completed scan began")
                .tag("kind", kind.name())
                .register(registry);
    }

    private static void bindFollowing(Of of) {
        of.log(
                "untaken.log.lease.age",
                "seconds",
                "Time since the last answered question was asked",
                log -> log.lease().age().map(age -> age.toNanos() / 1e9));
        of.log(
                "untaken.log.unread",
                "bytes",
                "What the database has written to its log and was not read yet",
                log -> log.figures().backlog().map(backlog -> (double) backlog.unreadBytes()));
        of.log(
                "untaken.log.held",
                "bytes",
                "What the database keeps of its log for us",
                log -> log.figures().backlog().map(backlog -> (double) backlog.heldBytes()));
        of.log(
                "untaken.log.readers.held",
                "bytes",
                "What the database keeps of its log for the process that is furthest behind",
                log -> log.figures().readers().map(readers -> (double) readers.heldBytes()));
        of.log(
                "untaken.log.readers.idle",
                null,
                "Places in the log kept for processes that do not read",
                log -> log.figures().readers().map(readers -> (double) readers.idle()));
        of.following("untaken.log.told", "Values read from the database's log", KindStats.Following::told);
        of.following(
                "untaken.log.questions",
                "Questions answered in time",
                log -> log.questions().answered());
        of.following(
                "untaken.log.questions.failed",
                "Questions without an answer",
                log -> log.questions().failed());
        for (GapReason reason : GapReason.values()) {
            of.gaps(reason);
        }
    }

    private record Of(MeterRegistry registry, AvailabilityChecker checker, IdentifierKind kind) {

        void gauge(String name, @Nullable String unit, String description, ToDoubleFunction<KindStats> figure) {
            Gauge.builder(name, checker, c -> figure.applyAsDouble(c.stats(kind)))
                    .description(description)
                    .baseUnit(unit)
                    .tag("kind", kind.name())
                    .register(registry);
        }

        /** NaN where nobody can tell. */
        void log(
                String name,
                @Nullable String unit,
                String description,
                Function<KindStats.Following, Optional<Double>> figure) {
            gauge(name, unit, description, s -> s.following().flatMap(figure).orElse(Double.NaN));
        }

        void following(String name, String description, ToDoubleFunction<KindStats.Following> figure) {
            counter(
                    name,
                    description,
                    s -> s.following().map(figure::applyAsDouble).orElse(0.0));
        }

        /** One counter for each reason, from the start: a rate would not show a gap with which its series begins. */
        void gaps(GapReason reason) {
            FunctionCounter.builder(
                            "untaken.log.gaps",
                            checker,
                            c -> c.stats(kind)
                                    .following()
                                    .map(log -> log.gaps().byReason().getOrDefault(reason, 0L))
                                    .orElse(0L))
                    .description("How often commits may have been missed")
                    .tag("kind", kind.name())
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }

        void counter(String name, String description, ToDoubleFunction<KindStats> figure) {
            FunctionCounter.builder(name, checker, c -> figure.applyAsDouble(c.stats(kind)))
                    .description(description)
                    .tag("kind", kind.name())
                    .register(registry);
        }
    }
}

package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.http.EndpointListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Counts what the endpoint answers and refuses. */
record EndpointMetrics(MeterRegistry registry) implements EndpointListener {

    @Override
    public void answered(IdentifierKind kind, Verdict.Status status) {
        registry.counter(
                        "untaken.endpoint.answers",
                        "kind",
                        kind.name(),
                        "status",
                        status.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    @Override
    public void refused(int status, String problem) {
        registry.counter("untaken.endpoint.refusals", "status", Integer.toString(status), "problem", problem)
                .increment();
    }

    @Override
    public void sweepSuspected(IdentifierKind kind, long answers, long taken) {
        registry.counter("untaken.endpoint.sweeps", "kind", kind.name()).increment();
    }

    @Override
    public void responded(int status, long nanos) {
        registry.timer("untaken.endpoint.responses", "status", Integer.toString(status))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void forwardedByStranger(String header) {
        registry.counter("untaken.endpoint.strangers").increment();
    }
}

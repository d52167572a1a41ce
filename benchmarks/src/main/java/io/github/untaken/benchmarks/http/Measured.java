package io.github.untaken.benchmarks.http;

import java.io.IOException;

/**
 * One endpoint in one round: what the load generator saw, and what the server used for it.
 *
 * @param reads of the database
 */
record Measured(LoadFigures load, long cpuNanos, long allocatedBytes, long reads) {

    static Measured of(Subject subject, LoadProcess load, long millis) throws IOException {
        long readsBefore = subject.reads().getAsLong();
        ServerCost before = ServerCost.now();
        LoadFigures figures = load.ask(subject, millis);
        ServerCost after = ServerCost.now();
        return new Measured(
                figures,
                after.cpuNanosSince(before),
                after.allocatedBytesSince(before),
                subject.reads().getAsLong() - readsBefore);
    }

    double perSecond() {
        return load.perSecond();
    }

    double bytesEach() {
        return (double) allocatedBytes / load.requests();
    }

    double cpuMicrosEach() {
        return cpuNanos / 1e3 / load.requests();
    }

    double readsEach() {
        return (double) reads / load.requests();
    }
}

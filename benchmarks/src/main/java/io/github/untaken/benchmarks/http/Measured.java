package io.github.untaken.benchmarks.http;

import java.io.IOException;

/** One endpoint in one round: what the load generator saw and what the server used for it. */
record Measured(LoadFigures load, ServerCost cost, long reads) {

    static Measured of(Subject subject, LoadProcess load, long millis) throws IOException {
        long readsBefore = subject.reads().getAsLong();
        ServerCost before = ServerCost.now();
        LoadFigures figures = load.ask(subject, millis);
        ServerCost used = ServerCost.now().since(before);
        return new Measured(figures, used, subject.reads().getAsLong() - readsBefore);
    }

    double perSecond() {
        return load.perSecond();
    }

    double bytesEach() {
        return (double) cost.allocatedBytes() / load.requests();
    }

    double cpuMicrosEach() {
        return cost.cpuNanos() / 1e3 / load.requests();
    }

    double readsEach() {
        return (double) reads / load.requests();
    }
}

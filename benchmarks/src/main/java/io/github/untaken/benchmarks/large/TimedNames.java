package io.github.untaken.benchmarks.large;

import io.github.untaken.benchmarks.Keys;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;

/** Made-up user names, which answer truthfully and take no room, and how long memory takes for each tenth of them. */
final class TimedNames
        implements RegisteredIdentifierStore.Counted,
                RegisteredIdentifierStore.Barrier,
                RegisteredIdentifierStore.Identified,
                RegisteredIdentifierStore.InColumn {
    static final int PARTS = 10;

    private final long names;
    private final double[] nanos = new double[PARTS];
    private volatile int scans;

    TimedNames(long names) {
        this.names = names;
    }

    @Override
    public long count() {
        return names;
    }

    @Override
    public Presence exists(String text, Duration timeout) {
        long number = Keys.NAMES.number(text);
        return Presence.of(number >= 0 && number < names);
    }

    @Override
    public void scan(Consumer<String> values) {
        for (int part = 0; part < PARTS; part++) {
            long from = names * part / PARTS;
            long to = names * (part + 1) / PARTS;
            long began = cpuNanos();
            for (long number = from; number < to; number++) {
                values.accept(Keys.NAMES.key(number));
            }
            nanos[part] = (double) (cpuNanos() - began) / (to - from);
        }
        scans++;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Processor time for each name of each part, with the making of the name. Of the scan that has ended. */
    double[] nanos() {
        return nanos.clone();
    }

    int scans() {
        return scans;
    }

    /** Nobody writes. */
    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        return true;
    }

    @Override
    public DatabaseMark present() {
        return new DatabaseMark("made up", names);
    }

    @Override
    public TableColumn column() {
        return new TableColumn("names", "name");
    }
}

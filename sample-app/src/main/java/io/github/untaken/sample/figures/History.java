package io.github.untaken.sample.figures;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The figures of the last three minutes, one sample a second, so that a page that is reloaded still draws them. Thread-safe. */
public final class History implements AutoCloseable {
    static final int KEPT = 180;

    private static final List<String> COLUMNS = List.of(
            "number",
            "at",
            "checks",
            "fromMemory",
            "fromDatabase",
            "databaseQueries",
            "pageReads",
            "freeKeys",
            "falsePositives",
            "bytes",
            "entries",
            "load",
            "whitelisted",
            "unknownImports",
            "ready");

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "history");
        sampler.setDaemon(true);
        return sampler;
    });

    private record Sample(long number, long atMillis, SiteMeter.Figures figures) {
        List<Object> values() {
            return List.of(
                    number,
                    atMillis,
                    figures.checks().all(),
                    figures.checks().fromMemory(),
                    figures.checks().fromDatabase(),
                    figures.reads().databaseQueries(),
                    figures.reads().pageReads(),
                    figures.audits().freeKeys(),
                    figures.audits().falsePositives(),
                    figures.memory().bytes(),
                    figures.memory().entries(),
                    figures.memory().load(),
                    figures.memory().whitelisted(),
                    figures.unknownImports(),
                    figures.ready());
        }
    }

    private final SiteMeter meter;
    private final Clock clock;
    private final Deque<Sample> samples = new ArrayDeque<>(KEPT);
    private long taken;

    public History(SiteMeter meter, Clock clock) {
        this.meter = meter;
        this.clock = clock;
    }

    public void start() {
        var unused = thread.scheduleAtFixedRate(this::sampleOrLog, 0, 1, TimeUnit.SECONDS);
    }

    // A task that throws is never run again.
    private void sampleOrLog() {
        try {
            meter.look();
            sample();
        } catch (RuntimeException e) {
            System.getLogger(History.class.getName()).log(System.Logger.Level.WARNING, "A second was not sampled", e);
        }
    }

    synchronized void sample() {
        if (samples.size() == KEPT) {
            samples.removeFirst();
        }
        taken++;
        samples.addLast(new Sample(taken, clock.millis(), meter.now()));
    }

    /**
     * The samples kept that come after the one of this number; all for 0. A newest number below it tells that the site was
     * started anew.
     */
    public synchronized Map<String, Object> after(long number) {
        List<List<Object>> rows = new ArrayList<>();
        for (Sample sample : samples) {
            if (sample.number() > number) {
                rows.add(sample.values());
            }
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("newest", taken);
        body.put("columns", COLUMNS);
        body.put("samples", rows);
        return body;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.Turns.Measurement;
import io.github.untaken.benchmarks.subjects.Ability;
import io.github.untaken.benchmarks.subjects.Subject;
import io.github.untaken.benchmarks.subjects.SubjectCatalog;
import io.github.untaken.benchmarks.subjects.SubjectEntry;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.FilterType;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Everything that is measured of one subject at one size, in a JVM of its own, with the limit among it: no other subject has
 * taught the compiler anything here.
 */
final class SubjectRun {
    /** How many keys exist at a time besides those that a subject keeps. */
    private static final int CHUNK = 1 << 16;
    /** How much too small a subject is made that must grow: three doublings. */
    private static final int GROWTH = 8;

    private final SubjectEntry entry;
    private final int keyCount;
    private final Keys keys;
    private final Effort effort;
    private final List<Figure> figures = new ArrayList<>();

    private SubjectRun(SubjectEntry entry, int keyCount, Keys keys, Effort effort) {
        this.entry = entry;
        this.keyCount = keyCount;
        this.keys = keys;
        this.effort = effort;
    }

    /** @param arguments subject, number of keys, sort of keys, effort, and the file for the figures */
    public static void main(String[] arguments) throws Exception {
        SubjectRun run = new SubjectRun(
                SubjectCatalog.find(arguments[0]).orElseThrow(),
                Integer.parseInt(arguments[1]),
                Keys.valueOf(arguments[2]),
                Effort.of(arguments[3]));
        List<String> lines = run.figures().stream().map(Figure::toJson).toList();
        Files.write(Path.of(arguments[4]), lines);
    }

    /** What {@link #fill} saw. */
    private record Fill(double nanosPerKey, int refused) {}

    private List<Figure> figures() throws RunnerException {
        warmUp();
        long before = usedHeap();
        Fill fill;
        double bits;
        Turns turns = new Turns(effort);
        Turns threads = new Turns(effort);
        double errorRate;
        double allocated;
        try (Subject subject = entry.maker().apply(keyCount)) {
            fill = fill(subject, keyCount);
            bits = (usedHeap() - before + subject.bytesOutsideHeap()) * 8.0 / keyCount;
            long tableBytes = FilterSizing.plan(FilterType.CUCKOO, keyCount).bytes();
            boolean removes = entry.can(Ability.REMOVES);
            Probes.use(Probes.make(subject, removes, keys, keyCount, effort.probes(), tableBytes));
            if (fill.refused == 0) {
                demandAllPresent(subject);
            }
            errorRate = errorRate(subject);
            measure(turns, threads);
            allocated = allocated(subject);
            Probes.use(null);
        }
        report(turns, fill, bits, errorRate, allocated);
        reportThreads(threads);
        if (entry.can(Ability.GROWS)) {
            grow(turns);
        }
        return figures;
    }

    /** A small one of its kind first, so that filling the real one is not timed in the interpreter. */
    private void warmUp() {
        int count = Math.min(keyCount, effort.warmUpKeys());
        try (Subject subject = entry.maker().apply(count)) {
            fill(subject, count);
            String[] some = new String[count];
            keys.fill(some, 0);
            for (String key : some) {
                subject.mightContain(key);
            }
        }
    }

    private Fill fill(Subject subject, int count) {
        long nanos = 0;
        int refused = 0;
        String[] chunk = new String[Math.min(CHUNK, count)];
        for (int done = 0; done < count; done += chunk.length) {
            if (count - done < chunk.length) {
                chunk = new String[count - done];
            }
            keys.fill(chunk, done);
            long began = System.nanoTime();
            for (String key : chunk) {
                if (!subject.add(key)) {
                    refused++;
                }
            }
            nanos += System.nanoTime() - began;
        }
        long began = System.nanoTime();
        subject.finish();
        nanos += System.nanoTime() - began;
        return new Fill((double) nanos / count, refused);
    }

    private void demandAllPresent(Subject subject) {
        String[] present = Probes.current().present();
        int asked = entry.can(Ability.EXACT) ? Math.min(present.length, 20_000) : present.length;
        for (int i = 0; i < asked; i++) {
            if (!subject.mightContain(present[i])) {
                throw new IllegalStateException(entry.name() + " forgot a key that it had accepted");
            }
        }
    }

    private double errorRate(Subject subject) {
        int asked = entry.can(Ability.EXACT) ? Math.min(effort.asked(), 20_000) : effort.asked();
        String[] chunk = new String[Math.min(CHUNK, asked)];
        long wrong = 0;
        long first = keyCount + 2L * effort.probes() + CHUNK;
        for (int done = 0; done < asked; done += chunk.length) {
            keys.fill(chunk, first + done);
            for (String key : chunk) {
                if (subject.mightContain(key)) {
                    wrong++;
                }
            }
        }
        return (double) wrong / ((asked + chunk.length - 1) / chunk.length * (long) chunk.length);
    }

    private void measure(Turns turns, Turns threads) throws RunnerException {
        boolean newStrings = entry.can(Ability.HASH_CODE);
        Probes made = Probes.current();
        Runnable refresh = () -> {
            if (newStrings) {
                Probes.use(made.withNewStrings());
            }
        };
        List<Measurement> alone = new ArrayList<>(
                List.of(new Measurement("limit", 1), new Measurement("negative", 1), new Measurement("positive", 1)));
        if (entry.can(Ability.BATCH)) {
            alone.add(new Measurement("batch", 1));
        }
        turns.take(alone, effort.rounds(), refresh);
        List<Measurement> together = new ArrayList<>(List.of(new Measurement("limit", 1)));
        if (entry.can(Ability.READERS)) {
            together.add(new Measurement("negative", 1));
            together.add(new Measurement("negative", 2));
        }
        if (entry.can(Ability.READERS_BESIDE_WRITER)) {
            together.add(new Measurement("positive", 1));
            together.add(new Measurement("besideWriter", 2));
        }
        if (together.size() > 1) {
            threads.take(together, Math.max(2, effort.rounds() / 2), refresh);
        }
    }

    private double allocated(Subject subject) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        String[] absent = Probes.current().absent();
        int count = Math.min(absent.length, 1 << 16);
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        int yes = 0;
        for (int i = 0; i < count; i++) {
            if (subject.mightContain(absent[i])) {
                yes++;
            }
        }
        long bytes = threads.getThreadAllocatedBytes(self) - before;
        return yes < 0 ? 0 : (double) bytes / count;
    }

    private void report(Turns turns, Fill fill, double bits, double errorRate, double allocated) {
        double[] limit = turns.nanos("limit");
        double limitNanos = Turns.median(limit);
        add("limit").with("nanos", limitNanos).with("low", min(limit)).with("high", max(limit));
        timed("lookup-negative", turns.nanos("negative"), limit);
        timed("lookup-positive", turns.nanos("positive"), limit);
        add("insert")
                .with("nanos", fill.nanosPerKey)
                .with("ratioToLimit", fill.nanosPerKey / limitNanos)
                .with("limitNanos", limitNanos)
                .with("refused", fill.refused);
        add("bits-per-key").with("bits", bits);
        add("error-rate").with("rate", errorRate).with("asked", effort.asked());
        add("allocation").with("bytes", allocated);
        if (entry.can(Ability.BATCH)) {
            timed("batch", turns.nanos("batch"), limit);
        }
    }

    private void reportThreads(Turns threads) {
        if (entry.can(Ability.READERS)) {
            double[] together = threads.nanos("negative-2");
            timed("readers-2", together, threads.nanos("limit"))
                    .with("ratioToAlone", Turns.median(together) / Turns.median(threads.nanos("negative")));
        }
        if (entry.can(Ability.READERS_BESIDE_WRITER)) {
            double[] reader = threads.nanos("reader");
            timed("reader-beside-writer", reader, threads.nanos("limit"))
                    .with("ratioToAlone", Turns.median(reader) / Turns.median(threads.nanos("positive")))
                    .with("writerNanos", Turns.median(threads.nanos("writer")));
        }
    }

    private Figure timed(String figure, double[] nanos, double[] limit) {
        double median = Turns.median(nanos);
        double[] ratios = new double[nanos.length];
        Arrays.setAll(ratios, round -> nanos[round] / limit[round]);
        return add(figure)
                .with("nanos", median)
                .with("ratioToLimit", median / Turns.median(limit))
                .with("ratioLow", min(ratios))
                .with("ratioHigh", max(ratios))
                .with("limitNanos", Turns.median(limit));
    }

    private Figure add(String figure) {
        Figure added = Figure.of(figure, entry.name(), keyCount)
                .with("keys", keys.name().toLowerCase(Locale.ROOT))
                .with("java", System.getProperty("java.version"));
        figures.add(added);
        return added;
    }

    /** A subject made for an eighth of the keys takes all of them. */
    private void grow(Turns turns) {
        long before = usedHeap();
        try (Subject subject = entry.maker().apply(Math.max(1, keyCount / GROWTH))) {
            Fill fill = fill(subject, keyCount);
            double bits = (usedHeap() - before + subject.bytesOutsideHeap()) * 8.0 / keyCount;
            double limit = Turns.median(turns.nanos("limit"));
            add("growth")
                    .with("nanos", fill.nanosPerKey)
                    .with("ratioToLimit", fill.nanosPerKey / limit)
                    .with("limitNanos", limit)
                    .with("doublings", 3)
                    .with("refused", fill.refused)
                    .with("rate", errorRate(subject))
                    .with("bits", bits);
        }
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    /** What is left after the garbage is gone; the least of several looks, since the JVM itself makes some. */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < 3; look++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}

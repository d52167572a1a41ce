package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.Turns.Measurement;
import io.github.untaken.benchmarks.subjects.Ability;
import io.github.untaken.benchmarks.subjects.SizedSubject;
import io.github.untaken.benchmarks.subjects.Subject;
import io.github.untaken.benchmarks.subjects.SubjectCatalog;
import io.github.untaken.benchmarks.subjects.SubjectEntry;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.FilterType;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
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
        List<String> lines = run.figures().stream()
                .map(run::withCircumstances)
                .map(Figure::toJson)
                .toList();
        Files.write(Path.of(arguments[4]), lines);
    }

    /** What {@link #fill} saw. */
    private record Fill(double nanosPerKey, int refused) {}

    /** What {@link #errorRate} saw. */
    private record Errors(double rate, int asked) {}

    private List<Figure> figures() throws RunnerException {
        warmUp();
        usedHeap(); // what asking for it costs for the first time is not the subject's
        long before = usedHeap();
        Fill fill;
        double bits;
        Turns turns = new Turns(effort.turn());
        Turns threads = new Turns(effort.turn());
        Errors errors;
        double allocated;
        try (Subject subject = entry.maker().apply(keyCount)) {
            fill = fill(subject, keyCount);
            bits = (usedHeap() - before + subject.bytesOutsideHeap()) * 8.0 / keyCount;
            long tableBytes = FilterSizing.plan(FilterType.CUCKOO, keyCount).bytes();
            Probes.use(Probes.make(subject, keys, keyCount, effort.probes(), tableBytes));
            System.gc();
            if (fill.refused == 0) {
                demandAllPresent(subject);
            }
            errors = errorRate(subject);
            measure(turns, threads);
            allocated = allocated(subject::mightContain);
            Probes.use(null);
        }
        report(turns, fill, bits, errors, allocated);
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

    private Errors errorRate(Subject subject) {
        int asked = entry.can(Ability.EXACT) ? Math.min(effort.asked(), 20_000) : effort.asked();
        String[] chunk = new String[Math.min(CHUNK, asked)];
        long wrong = 0;
        long first = keyCount + 2L * effort.probes() + CHUNK;
        int done = 0;
        for (; done < asked; done += chunk.length) {
            keys.fill(chunk, first + done);
            for (String key : chunk) {
                if (subject.mightContain(key)) {
                    wrong++;
                }
            }
        }
        return new Errors((double) wrong / done, done);
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

    private static double allocated(Predicate<String> question) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        String[] absent = Probes.current().absent();
        int count = Math.min(absent.length, 1 << 16);
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        int yes = 0;
        for (int i = 0; i < count; i++) {
            if (question.test(absent[i])) {
                yes++;
            }
        }
        long bytes = threads.getThreadAllocatedBytes(self) - before;
        return yes < 0 ? 0 : (double) bytes / count;
    }

    private void report(Turns turns, Fill fill, double bits, Errors errors, double allocated) {
        double[] limit = turns.nanos("limit");
        double limitNanos = Turns.median(limit);
        add("limit")
                .with("nanos", limitNanos)
                .with("ratioToLimit", 1.0)
                .with("low", min(limit))
                .with("high", max(limit))
                .with("fastNanos", turns.fastest("limit"));
        timed("lookup-negative", "negative", turns);
        timed("lookup-positive", "positive", turns);
        add("insert")
                .with("nanos", fill.nanosPerKey)
                .with("ratioToLimit", fill.nanosPerKey / limitNanos)
                .with("limitNanos", limitNanos)
                .with("refused", fill.refused);
        add("bits-per-key").with("bits", bits);
        add("error-rate").with("rate", errors.rate).with("asked", errors.asked);
        add("allocation").with("bytes", allocated);
        if (entry.can(Ability.BATCH)) {
            timed("batch", "batch", turns);
        }
    }

    private void reportThreads(Turns threads) {
        if (entry.can(Ability.READERS)) {
            timed("readers-2", "negative-2", threads).with("ratioToAlone", threads.ratio("negative-2", "negative"));
        }
        if (entry.can(Ability.READERS_BESIDE_WRITER)) {
            timed("reader-beside-writer", "reader", threads)
                    .with("ratioToAlone", threads.ratio("reader", "positive"))
                    .with("writerNanos", Turns.median(threads.nanos("writer")));
        }
    }

    private Figure timed(String figure, String measured, Turns turns) {
        double[] nanos = turns.nanos(measured);
        double[] limit = turns.nanos("limit");
        double[] ratios = new double[nanos.length];
        Arrays.setAll(ratios, round -> nanos[round] / limit[round]);
        return add(figure)
                .with("nanos", Turns.median(nanos))
                .with("ratioToLimit", turns.ratio(measured, "limit"))
                .with("ratioLow", min(ratios))
                .with("ratioHigh", max(ratios))
                .with("limitNanos", Turns.median(limit))
                .with("fastNanos", turns.fastest(measured))
                .with("fastRatio", turns.fastest(measured) / turns.fastest("limit"));
    }

    /** After the figure itself, so that every timed line begins alike: figure, subject, n, nanos, ratioToLimit. */
    private Figure withCircumstances(Figure figure) {
        return figure.with("keys", keys.name().toLowerCase(Locale.ROOT))
                .with("java", System.getProperty("java.version"));
    }

    private Figure add(String figure) {
        Figure added = Figure.of(figure, entry.name(), keyCount);
        figures.add(added);
        return added;
    }

    /** A subject made for an eighth of the keys takes all of them; the adds that made it larger are the growth. */
    private void grow(Turns turns) {
        long before = usedHeap();
        try (Subject subject = entry.maker().apply(Math.max(1, keyCount / GROWTH))) {
            long growing = 0;
            long longest = 0;
            int steps = 0;
            int refused = 0;
            SizedSubject sized = (SizedSubject) subject;
            long size = sized.bytes();
            String[] chunk = new String[Math.min(CHUNK, keyCount)];
            for (int done = 0; done < keyCount; done += chunk.length) {
                if (keyCount - done < chunk.length) {
                    chunk = new String[keyCount - done];
                }
                keys.fill(chunk, done);
                for (String key : chunk) {
                    long began = System.nanoTime();
                    if (!subject.add(key)) {
                        refused++;
                    }
                    long taken = System.nanoTime() - began;
                    if (sized.bytes() != size) {
                        size = sized.bytes();
                        growing += taken;
                        longest = Math.max(longest, taken);
                        steps++;
                    }
                }
            }
            double bits = (usedHeap() - before) * 8.0 / keyCount;
            double limit = Turns.median(turns.nanos("limit"));
            double nanos = (double) growing / keyCount;
            add("growth")
                    .with("nanos", nanos)
                    .with("ratioToLimit", nanos / limit)
                    .with("limitNanos", limit)
                    .with("longestNanos", longest)
                    .with("steps", steps)
                    .with("refused", refused)
                    .with("rate", errorRate(subject).rate)
                    .with("bits", bits);
        }
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    /**
     * What is left after the garbage is gone: as the collector itself saw it, before the thread took the next piece of memory
     * to allocate from, which would count as used as a whole. The least of several looks, since the JVM itself makes some.
     */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < 2; look++) {
            System.gc();
            long used = 0;
            for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
                MemoryUsage left = pool.getCollectionUsage();
                if (pool.getType() == MemoryType.HEAP && left != null) {
                    used += left.getUsed();
                }
            }
            least = Math.min(least, used);
        }
        return least;
    }
}

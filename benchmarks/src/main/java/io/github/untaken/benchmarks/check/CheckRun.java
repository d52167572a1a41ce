package io.github.untaken.benchmarks.check;

import static io.github.untaken.IdentifierKind.USERNAME;

import com.sun.management.ThreadMXBean;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.benchmarks.Figure;
import io.github.untaken.benchmarks.Keys;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Everything that is measured of a check in one JVM: memory is filled by a scan, and beside it a filter alone by the same keys. Free
 * names are asked for. Lookup and check take turns, in an order that changes.
 */
/*
 * One call by itself. A request asks one name and then does something else; in a tight loop the processor has three or four lookups
 * under way at a time, which no request ever sees. So the clock is read before and after each call: reading it waits for all loads before
 * it. The text is touched before, as a request has just made it. Of these times the 20th percentile counts, less that of the clock alone:
 * whatever disturbs a machine only adds, to a few calls.
 */
final class CheckRun {
    /** How many calls are timed one by one in a round. */
    static final int CALLS = 1 << 18;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FREE = 1 << 20;
    private static final int CHUNK = 1 << 10;
    private static final int BLOCK = 1 << 15;
    private static final int TOGETHER = 64;
    private static final int PERCENTILE = 20;
    private static final long PATIENCE_MINUTES = 10;
    private static final int NORMALIZED = 1 << 14;

    private final long count;
    private final int rounds;
    private final String[] free = new String[FREE];
    private final KeyHasher hasher = KeyHasher.random();
    private final MembershipFilter filter;
    private final AvailabilityChecker checker;
    private final int[] nanos = new int[CALLS];
    private final List<Figure> figures = new ArrayList<>();
    private long seen;

    private CheckRun(long count, int rounds, AvailabilityChecker checker) {
        this.count = count;
        this.rounds = rounds;
        this.checker = checker;
        filter = MembershipFilters.cuckoo(count);
        for (long number = 0; number < count; number++) {
            filter.add(hasher.hash(Keys.NAMES.key(number)));
        }
        Keys.NAMES.fill(free, count);
    }

    /** @param arguments number of keys, rounds, whether the store has a catalog, and the file for the figures */
    public static void main(String[] arguments) throws Exception {
        long count = Long.parseLong(arguments[0]);
        boolean cataloged = Boolean.parseBoolean(arguments[2]);
        NumberedKeys keys = new NumberedKeys(Keys.NAMES, count);
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, cataloged ? new CatalogedKeys(keys) : keys)
                .singleWriter(false)
                .build()) {
            awaitReady(checker);
            CheckRun run = new CheckRun(count, Integer.parseInt(arguments[1]), checker);
            run.demandTruth();
            run.measure();
            Files.write(
                    Path.of(arguments[3]),
                    run.figures.stream()
                            .map(figure -> figure.with("java", System.getProperty("java.version"))
                                    .with("store", cataloged ? "catalog" : "plain"))
                            .map(Figure::toJson)
                            .toList());
        }
    }

    private static void awaitReady(AvailabilityChecker checker) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
        while (checker.state(USERNAME) != KindState.READY) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the checker is not ready: " + checker.stats(USERNAME));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** All free names are, and the names of the scan are not; the few that the filter is wrong about are known from here on. */
    private void demandTruth() {
        for (String name : free) {
            Verdict verdict = checker.check(USERNAME, name);
            if (!verdict.available()) {
                throw new IllegalStateException("a free name was answered " + verdict);
            }
        }
        for (long number = 0; number < 1_000; number++) {
            if (checker.check(USERNAME, Keys.NAMES.key(number * count / 1_000)).available()) {
                throw new IllegalStateException("a taken name was answered available");
            }
        }
    }

    private void measure() {
        alone(); // warms up
        inALoop();
        figures.clear();
        alone();
        inALoop();
        allocation();
        key(
                "key-phone",
                PhoneNumberNormalizer.international(),
                number -> "+8613" + String.format("%09d", number * 60_013L));
        key("key-email", EmailNormalizer.defaults(), number -> Keys.NAMES.key(number) + "@example.org");
        if (seen == 0) {
            throw new IllegalStateException("nobody was asked");
        }
    }

    private Figure figure(String name) {
        Figure figure = Figure.of(name, "untaken", count);
        figures.add(figure);
        return figure;
    }

    // ---------------------------------------------------------------- one call by itself

    private interface Timed {
        /** Times as many calls, one by one, into the array from the same place on. */
        void times(int from, int calls);
    }

    private void alone() {
        double[] lookups = new double[rounds];
        double[] checks = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            boolean checkFirst = (round & 1) != 0;
            double first = percentile(checkFirst ? this::timeChecks : this::timeLookups, round);
            double second = percentile(checkFirst ? this::timeLookups : this::timeChecks, round);
            double clock = percentile(this::timeNothing, round);
            lookups[round] = (checkFirst ? second : first) - clock;
            checks[round] = (checkFirst ? first : second) - clock;
            ratios[round] = checks[round] / lookups[round];
        }
        figure("check-alone")
                .with("nanos", median(checks))
                .with("lookupNanos", median(lookups))
                .with("ratioToLookup", median(ratios));
    }

    private double percentile(Timed timed, int round) {
        int start = round * CALLS & FREE - 1;
        for (int done = 0; done < CALLS; done += CHUNK) {
            timed.times(start + done, CHUNK);
        }
        int[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[CALLS * PERCENTILE / 100];
    }

    /** The character of the text that is read before the clock is. */
    private static int touched(String text) {
        return text.charAt(text.length() - 1);
    }

    // What has been answered decides a branch before the clock is read again, so that no compiler can move it behind.

    private void timeLookups(int from, int calls) {
        for (int i = from; i < from + calls; i++) {
            String name = free[i];
            seen += touched(name);
            long began = System.nanoTime();
            if (filter.mightContain(hasher.hash(name))) {
                seen++;
            }
            nanos[i & CALLS - 1] = (int) (System.nanoTime() - began);
        }
    }

    private void timeChecks(int from, int calls) {
        for (int i = from; i < from + calls; i++) {
            String name = free[i];
            seen += touched(name);
            long began = System.nanoTime();
            if (!checker.check(USERNAME, name).available()) {
                seen++;
            }
            nanos[i & CALLS - 1] = (int) (System.nanoTime() - began);
        }
    }

    private void timeNothing(int from, int calls) {
        for (int i = from; i < from + calls; i++) {
            String name = free[i];
            seen += touched(name);
            long began = System.nanoTime();
            nanos[i & CALLS - 1] = (int) (System.nanoTime() - began);
        }
    }

    // ---------------------------------------------------------------- in a loop

    private interface Asked {
        /** Asks for these names, one after the other; how many are free. */
        int free(int from, int to);
    }

    private void inALoop() {
        List<Asked> ways = List.of(this::lookUp, this::check, this::checkAll);
        int turns = rounds * CALLS / BLOCK;
        double[][] times = new double[ways.size()][turns];
        for (int turn = 0; turn < turns; turn++) {
            int from = turn * BLOCK & FREE - 1;
            for (int i = 0; i < ways.size(); i++) {
                int way = (i + turn) % ways.size();
                long began = cpuNanos();
                seen += ways.get(way).free(from, from + BLOCK);
                times[way][turn] = (double) (cpuNanos() - began) / BLOCK;
            }
        }
        double lookup = median(times[0]);
        figure("check-loop")
                .with("nanos", median(times[1]))
                .with("lookupNanos", lookup)
                .with("ratioToLookup", median(times[1]) / lookup);
        figure("check-all")
                .with("nanos", median(times[2]))
                .with("lookupNanos", lookup)
                .with("ratioToLookup", median(times[2]) / lookup);
    }

    private int lookUp(int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += filter.mightContain(hasher.hash(free[i])) ? 0 : 1;
        }
        return count;
    }

    private int check(int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += checker.check(USERNAME, free[i]).available() ? 1 : 0;
        }
        return count;
    }

    private int checkAll(int from, int to) {
        int count = 0;
        List<String> names = Arrays.asList(free);
        for (int i = from; i < to; i += TOGETHER) {
            for (Verdict verdict : checker.checkAll(USERNAME, names.subList(i, i + TOGETHER))) {
                count += verdict.available() ? 1 : 0;
            }
        }
        return count;
    }

    private void allocation() {
        long before = allocated();
        seen += check(0, BLOCK);
        figure("allocation").with("bytes", (double) (allocated() - before) / BLOCK);
    }

    private static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Of this thread: in a block of many calls the clock on the wall would count whoever else has the processor meanwhile. */
    private static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    // ---------------------------------------------------------------- keys

    private interface Stored {
        String text(int number);
    }

    private void key(String name, IdentifierNormalizer normalizer, Stored stored) {
        String[] texts = new String[NORMALIZED];
        Arrays.setAll(texts, stored::text);
        double[] times = new double[rounds * 10];
        long bytes = 0;
        for (int turn = -times.length; turn < times.length; turn++) { // half of them warm up
            long before = allocated();
            long began = cpuNanos();
            for (String text : texts) {
                if (!normalizer.key(text).equals(text)) {
                    throw new IllegalStateException("a stored value is not its own key");
                }
            }
            if (turn >= 0) {
                times[turn] = (double) (cpuNanos() - began) / texts.length;
                bytes = allocated() - before;
            }
        }
        figure(name).with("nanos", median(times)).with("bytes", (double) bytes / texts.length);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}

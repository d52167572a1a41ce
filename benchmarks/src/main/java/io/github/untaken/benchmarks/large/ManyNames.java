package io.github.untaken.benchmarks.large;

import static io.github.untaken.IdentifierKind.USERNAME;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.benchmarks.BadOption;
import io.github.untaken.benchmarks.Keys;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A whole checker over a thousand million names, in this process: what filling costs, what a name takes, how often the filter errs, what a
 * check of a free name costs, and how long it takes to write the generation to the disk and to read it again.
 */
public final class ManyNames {
    private static final long MOST = 10_000_000_000L;
    private static final double HEAP_BYTES_A_NAME = 3.5;
    private static final long BESIDES_BYTES = 300L << 20;
    private static final int FREE = 1 << 20;
    private static final int CALLS = 1 << 18;
    private static final int ROUNDS = 11;
    private static final int TAKEN = 100_000;
    private static final int MADE = 2_000_000;
    private static final int PERCENTILE = 20;
    private static final long PATIENCE_HOURS = 3;

    private final PrintStream out;
    private final TimedNames names;
    private final Path folder;
    private final String[] free = new String[FREE];

    private ManyNames(long names, Path folder, PrintStream out) {
        this.names = new TimedNames(names);
        this.folder = folder;
        this.out = out;
    }

    /**
     * Prints what it measures as it goes on. Blocks for minutes.
     *
     * @param arguments how many names (default 1000000000), and a folder for the file (default: a temporary one), which is deleted again
     */
    public static void run(List<String> arguments, PrintStream out) throws IOException {
        long names = arguments.isEmpty() ? 1_000_000_000 : count(arguments.get(0));
        long needed = (long) (names * HEAP_BYTES_A_NAME) + BESIDES_BYTES;
        if (Runtime.getRuntime().maxMemory() < needed) {
            throw new BadOption(names + " names need a heap of " + (needed + (1 << 30) - 1 >> 30) + " GiB: java -Xmx"
                    + (needed + (1 << 30) - 1 >> 30) + "g -jar benchmarks.jar many " + names);
        }
        Path parent = arguments.size() > 1 ? Path.of(arguments.get(1)) : Path.of(System.getProperty("java.io.tmpdir"));
        Path folder = Files.createTempDirectory(parent, "many-names");
        try {
            new ManyNames(names, folder, out).run();
        } finally {
            delete(folder);
        }
    }

    private static long count(String text) {
        try {
            long names = Long.parseLong(text);
            if (names >= 1_000 && names <= MOST) {
                return names;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadOption("many takes a number of names from 1000 to " + MOST + ", but was " + text);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void run() throws IOException {
        say("%d names, Java %s, %s", names.count(), System.getProperty("java.version"), options());
        say("making a name: %.0f ns", making());
        scanned();
        readBack();
    }

    private void scanned() throws IOException {
        long began = System.nanoTime();
        AvailabilityChecker checker = start();
        try {
            filled(checker, began);
            Keys.NAMES.fill(free, names.count());
            errors(checker);
            checks(checker);
        } finally {
            began = System.nanoTime();
            checker.close();
        }
        say("close, with the file: %.1f s for %.2f GB", seconds(began), size() / 1e9);
    }

    /** There is no room for two: nothing may hold the first any more. */
    private void readBack() {
        long began = System.nanoTime();
        try (AvailabilityChecker again = start()) {
            say("READY again after %.1f s, without a scan: %b", seconds(began), names.scans() == 1);
            errors(again);
        }
    }

    private AvailabilityChecker start() {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, names)
                .singleWriter(false)
                .feed(new SilentFeed())
                .snapshots(folder)
                .build();
        long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(PATIENCE_HOURS);
        while (checker.state(USERNAME) != KindState.READY) {
            if (System.nanoTime() - deadline > 0) {
                checker.close();
                throw new IllegalStateException("the checker is not ready: " + checker.stats(USERNAME));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return checker;
    }

    private static String options() {
        return "JVM options " + ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    private static double making() {
        long made = 0;
        long began = cpuNanos();
        for (long number = 0; number < MADE; number++) {
            made += Keys.NAMES.key(number).length();
        }
        if (made == 0) {
            throw new IllegalStateException("nothing was made");
        }
        return (double) (cpuNanos() - began) / MADE;
    }

    private void filled(AvailabilityChecker checker, long began) {
        say("READY after %.1f s", seconds(began));
        say(
                "a name, with its making, in tenths of the scan: %s ns of processor time",
                Arrays.toString(
                        Arrays.stream(names.nanos()).mapToLong(Math::round).toArray()));
        KindStats stats = checker.stats(USERNAME);
        System.gc();
        say(
                "%.2f bytes a name: %.2f GB; heap in use %.2f GB",
                (double) stats.memory().bytes() / names.count(),
                stats.memory().bytes() / 1e9,
                (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1e9);
    }

    /** All taken names that are asked for are taken, and all free ones free; how many of those were read to know that. */
    private void errors(AvailabilityChecker checker) {
        for (long i = 0; i < TAKEN; i++) {
            if (checker.check(USERNAME, Keys.NAMES.key(i * names.count() / TAKEN))
                    .available()) {
                throw new IllegalStateException("a taken name was answered available");
            }
        }
        long before = checker.stats(USERNAME).reads().made();
        for (long i = 0; i < MADE; i++) {
            if (!checker.check(USERNAME, Keys.NAMES.key(names.count() + i)).available()) {
                throw new IllegalStateException("a free name was not answered available");
            }
        }
        say(
                "of %d taken names none is free; of %d free names %.1e are read",
                TAKEN, MADE, (double) (checker.stats(USERNAME).reads().made() - before) / MADE);
    }

    private void checks(AvailabilityChecker checker) {
        double[] loops = new double[ROUNDS];
        double[] alone = new double[ROUNDS];
        int[] nanos = new int[CALLS];
        int[] clock = new int[CALLS];
        for (int round = 0; round < ROUNDS; round++) {
            int from = round * CALLS & FREE - 1;
            long began = cpuNanos();
            int count = loop(checker, from);
            loops[round] = (double) (cpuNanos() - began) / CALLS;
            for (int i = 0; i < CALLS; i++) {
                count += time(checker, free[from + i], nanos, i);
                long start = System.nanoTime();
                clock[i] = (int) (System.nanoTime() - start);
            }
            if (count != 2 * CALLS) {
                throw new IllegalStateException("a free name was not answered available");
            }
            Arrays.sort(nanos);
            Arrays.sort(clock);
            alone[round] = nanos[CALLS * PERCENTILE / 100] - clock[CALLS * PERCENTILE / 100];
        }
        Arrays.sort(loops);
        Arrays.sort(alone);
        say("a check of a free name: %.0f ns in a loop, %.0f by itself", loops[ROUNDS / 2], alone[ROUNDS / 2]);
    }

    private int loop(AvailabilityChecker checker, int from) {
        int count = 0;
        for (int i = from; i < from + CALLS; i++) {
            count += checker.check(USERNAME, free[i]).available() ? 1 : 0;
        }
        return count;
    }

    /** As a request pays it: reading the clock waits for whatever is under way. */
    private static int time(AvailabilityChecker checker, String name, int[] nanos, int i) {
        long began = System.nanoTime();
        int count = checker.check(USERNAME, name).available() ? 1 : 0;
        nanos[i] = (int) (System.nanoTime() - began);
        return count;
    }

    private long size() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
        out.flush();
    }
}

package io.github.untaken.benchmarks;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import java.util.Arrays;

/**
 * How long a check of a free name takes while nothing else happens, and while the next generation is being made: windows in
 * turns in one JVM, the checks of all windows of a sort together.
 */
public final class RebuildLatency {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final int ROUNDS = 8;
    private static final int IDLE_CHECKS = 400_000;
    private static final int MOST = 16_000_000;

    private final AvailabilityChecker checker;
    private final int[] nanos = new int[MOST];
    private int asked;
    private int checks;

    private RebuildLatency(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /**
     * Prints the table.
     *
     * @param arguments {@code h2} or {@code postgresql}, and the number of rows (default 1000000)
     */
    public static void main(String[] arguments) throws Exception {
        String engine = arguments.length > 0 ? arguments[0] : "h2";
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
        try (PeopleDatabase people = PeopleDatabase.of(engine, rows);
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(people.identifiers())
                        .build()) {
            while (checker.state(USERNAME) != KindState.READY) {
                Thread.sleep(10);
            }
            System.out.printf("%s, %d rows, Java %s%n", engine, rows, System.getProperty("java.version"));
            System.out.printf("%-10s %10s %10s %10s %10s%n", "", "checks", "p50 ns", "p99 ns", "p99.9 ns");
            RebuildLatency idle = new RebuildLatency(checker);
            idle.measureIdle(); // warms up
            idle.checks = 0;
            RebuildLatency rebuilding = new RebuildLatency(checker);
            for (int round = 0; round < ROUNDS; round++) {
                idle.measureIdle();
                rebuilding.measureWhileRebuilding();
            }
            idle.print("idle");
            rebuilding.print("rebuilding");
        }
    }

    private void measureIdle() {
        for (int i = 0; i < IDLE_CHECKS; i++) {
            check();
        }
    }

    private void measureWhileRebuilding() {
        long asked = System.nanoTime();
        checker.rescan(USERNAME);
        while (checker.stats(USERNAME).scans().sinceLast().orElseThrow().toNanos() > System.nanoTime() - asked) {
            for (int i = 0; i < 1_000; i++) {
                check();
            }
        }
    }

    private void check() {
        String name = "free-name" + asked++; // one that the filter does not know has to be asked for each time
        long began = System.nanoTime();
        Verdict verdict = checker.check(USERNAME, name);
        long taken = System.nanoTime() - began;
        if (verdict.decidedBy() == Verdict.DecidedBy.FILTER && checks < MOST) {
            nanos[checks++] = (int) Math.min(Integer.MAX_VALUE, taken);
        }
    }

    private void print(String what) {
        int[] sorted = Arrays.copyOf(nanos, checks);
        Arrays.sort(sorted);
        System.out.printf(
                "%-10s %10d %10d %10d %10d%n", what, checks, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 0.999));
    }

    private static int at(int[] sorted, double quantile) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)];
    }
}

package io.github.untaken.benchmarks;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads one column of a large table in turns: by a bare JDBC loop, by the scan of our store, and by two threads that share
 * the parts the store gives. Prints the rows a second and the ratios to the loop, the median over all rounds.
 */
public final class ScanRatios {
    private ScanRatios() {}

    /**
     * Prints the table.
     *
     * @param arguments {@code h2}, {@code postgresql} or {@code mariadb}, the number of rows (default 1000000) and of rounds (default 9)
     */
    public static void main(String[] arguments) throws Exception {
        String engine = arguments.length > 0 ? arguments[0] : "h2";
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 9;
        try (PeopleDatabase people = PeopleDatabase.of(engine, rows)) {
            Together store = (Together)
                    people.identifiers().stores().get(IdentifierKind.USERNAME).get(0);
            Map<String, Callable<Long>> ways = new LinkedHashMap<>();
            ways.put("bareLoop", () -> bareLoop(people));
            ways.put("scan", () -> scan(store));
            ways.put("scanByTwo", () -> scanByTwo(store));
            Map<String, double[]> seconds = new LinkedHashMap<>();
            ways.keySet().forEach(way -> seconds.put(way, new double[rounds]));
            for (int round = -1; round < rounds; round++) { // the first one warms up
                for (Map.Entry<String, Callable<Long>> way : ways.entrySet()) {
                    double taken = time(way.getValue(), rows);
                    if (round >= 0) {
                        seconds.get(way.getKey())[round] = taken;
                    }
                }
            }
            print(engine, rows, rounds, seconds);
        }
    }

    private static double time(Callable<Long> way, int rows) throws Exception {
        long began = System.nanoTime();
        long seen = way.call();
        double taken = (System.nanoTime() - began) / 1e9;
        if (seen != rows) {
            throw new IllegalStateException("saw " + seen + " of " + rows + " rows");
        }
        return taken;
    }

    private static void print(String engine, int rows, int rounds, Map<String, double[]> seconds) {
        System.out.printf(
                "%s, %d rows, %d rounds, Java %s%n", engine, rows, rounds, System.getProperty("java.version"));
        System.out.printf("%-12s %14s %12s%n", "", "rows/s", "x bareLoop");
        double[] loop = seconds.get("bareLoop");
        seconds.forEach((way, taken) -> {
            double[] ratios = new double[rounds];
            Arrays.setAll(ratios, round -> loop[round] / taken[round]);
            System.out.printf("%-12s %14.0f %12.2f%n", way, rows / median(taken), median(ratios));
        });
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static long bareLoop(PeopleDatabase people) throws Exception {
        LongAdder seen = new LongAdder();
        try (Connection connection = people.connection()) {
            connection.setAutoCommit(false); // or PostgreSQL sends the whole table at once
            try (PreparedStatement statement = connection.prepareStatement("select username from Person")) {
                statement.setFetchSize(10_000);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        count(row.getString(1), seen);
                    }
                }
            }
        }
        return seen.sum();
    }

    private static long scan(Together store) {
        LongAdder seen = new LongAdder();
        store.scan(value -> count(value, seen));
        return seen.sum();
    }

    private static long scanByTwo(Together store) throws InterruptedException {
        LongAdder seen = new LongAdder();
        try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
            Queue<Partition> left = new ConcurrentLinkedQueue<>(snapshot.parts());
            Thread helper = new Thread(() -> scanAll(left, seen));
            helper.start();
            scanAll(left, seen);
            helper.join();
            snapshot.confirm();
        }
        return seen.sum();
    }

    private static void scanAll(Queue<Partition> left, LongAdder seen) {
        for (Partition next = left.poll(); next != null; next = left.poll()) {
            next.scan(value -> count(value, seen));
        }
    }

    private static void count(String value, LongAdder seen) {
        if (!value.isEmpty()) {
            seen.increment();
        }
    }
}

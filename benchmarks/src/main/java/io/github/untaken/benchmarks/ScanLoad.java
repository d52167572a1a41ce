package io.github.untaken.benchmarks;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a scan costs a server that is written to. Two writers change rows all the time, first for as long as a scan takes, then beside scans: a
 * scan is one long snapshot, so the server keeps what was there when it began. Printed are writes a second, and what the server has kept.
 */
public final class ScanLoad {
    private static final int WRITERS = 2;

    private final String engine;
    private final int rows;
    private final PeopleDatabase people;
    private final RegisteredIdentifierStore store;

    private ScanLoad(String engine, int rows, PeopleDatabase people) {
        this.engine = engine;
        this.rows = rows;
        this.people = people;
        this.store = people.identifiers().stores().get(IdentifierKind.USERNAME).get(0);
    }

    /**
     * Prints the table.
     *
     * @param arguments {@code h2}, {@code postgresql} or {@code mariadb}, the number of rows (default 1000000) and of rounds (default 3)
     */
    public static void main(String[] arguments) throws Exception {
        String engine = arguments.length > 0 ? arguments[0] : "h2";
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
        try (PeopleDatabase people = PeopleDatabase.of(engine, rows)) {
            new ScanLoad(engine, rows, people).measure(rounds);
        }
    }

    private void measure(int rounds) throws Exception {
        System.out.printf("%s, %d rows, %s%n", engine, rows, kept().what());
        System.out.printf("%-22s %10s %10s %16s %16s%n", "", "seconds", "writes/s", "kept before", "kept after");
        for (int round = 1; round <= rounds; round++) {
            settle();
            long took = nanos(this::scan);
            System.out.printf("%-22s %10.1f%n", "scan alone", took / 1e9);
            settle();
            beside("writes alone", () -> TimeUnit.NANOSECONDS.sleep(took));
            settle();
            beside("writes beside a scan", this::scan);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static long nanos(Work work) throws Exception {
        long began = System.nanoTime();
        work.run();
        return System.nanoTime() - began;
    }

    private void scan() {
        LongAdder seen = new LongAdder();
        store.scan(value -> seen.increment());
        if (seen.sum() != rows) {
            throw new IllegalStateException("saw " + seen + " of " + rows + " rows");
        }
    }

    private void beside(String what, Work work) throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        LongAdder writes = new LongAdder();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int seed = i;
            writers.add(new Thread(() -> write(seed, end, writes)));
        }
        long before = kept().count();
        writers.forEach(Thread::start);
        long took = nanos(work);
        long written = writes.sum();
        long after = kept().count();
        end.set(true);
        for (Thread each : writers) {
            each.join();
        }
        System.out.printf("%-22s %10.1f %10.0f %16d %16d%n", what, took / 1e9, written / (took / 1e9), before, after);
    }

    private void write(int seed, AtomicBoolean end, LongAdder writes) {
        SplittableRandom random = new SplittableRandom(seed);
        try (Connection connection = people.connection();
                PreparedStatement update = connection.prepareStatement("update Person set note = ? where id = ?")) {
            while (!end.get()) {
                update.setString(1, "changed " + random.nextInt());
                update.setLong(2, random.nextLong(1, rows + 1L));
                update.executeUpdate();
                writes.increment();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Kept(String what, long count) {}

    /** Row versions, or bytes of the file, that the server holds beyond the rows that there are. */
    private Kept kept() throws SQLException {
        return switch (engine) {
            case "postgresql" -> new Kept("kept: bytes of the table", number("select pg_table_size('person')"));
            case "mariadb" ->
                new Kept(
                        "kept: transactions in the undo log's history",
                        number(
                                "select count from information_schema.innodb_metrics where name = 'trx_rseg_history_len'"));
            default ->
                new Kept(
                        "kept: bytes of the file",
                        number("select setting_value from information_schema.settings"
                                + " where setting_name = 'info.FILE_SIZE'"));
        };
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = people.connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** Lets the server clean up, as it does by itself sooner or later. */
    private void settle() throws SQLException, InterruptedException {
        for (String sql : switch (engine) {
            case "postgresql" -> List.of("vacuum person", "checkpoint");
            case "mariadb" -> List.<String>of();
            default -> List.of("checkpoint sync");
        }) {
            try (Connection connection = people.connection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
        long least = Long.MAX_VALUE;
        for (long now = kept().count(); now < least; now = kept().count()) {
            least = now;
            TimeUnit.SECONDS.sleep(2);
        }
    }
}

package io.github.untaken.jdbc;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * An application that goes on signing people up and asking for names, while another program migrates its table. The oracle is the
 * table: a name that is in it before a check and after it must not be called available by memory in between.
 */
public final class LiveMigrations {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private static final int CHECKS_BETWEEN = 20;

    /**
     * What to do and where.
     *
     * @param application is watched here
     * @param reads what the checker reads by
     * @param plain for the migrations and the oracle
     * @param blocked counts who waits for the checker's own locks, in milliseconds; empty where the server does not say
     */
    public record Place(DataSource application, DataSource reads, DataSource plain, String table, String blocked) {}

    /**
     * What came of it.
     *
     * @param unanswered by their reasons
     * @param refused statements of the application that failed, by their SQLSTATE
     * @param blockedMillis how long anybody was seen waiting for a lock of the checker's
     * @param slowestMillis the slowest definition
     */
    public record Outcome(
            long signUps,
            long checks,
            long fromMemory,
            Map<String, Long> refused,
            Map<String, Long> unanswered,
            List<String> wrong,
            long blockedMillis,
            long slowestMillis) {}

    private final Place place;
    private final DataSource watched;
    private final AvailabilityChecker checker;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<String> signedUp = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger signUps = new AtomicInteger();
    private final AtomicLong checks = new AtomicLong();
    private final AtomicLong fromMemory = new AtomicLong();
    private final Map<String, Long> refused = new ConcurrentHashMap<>();
    private final Map<String, Long> unanswered = new ConcurrentHashMap<>();
    private final AtomicLong blocked = new AtomicLong();

    private LiveMigrations(Place place) {
        this.place = place;
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(place.reads(), place.table(), "username");
        this.watched = WatchedDataSource.of(place.application(), identifiers);
        this.checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(USERNAME, UsernameNormalizer.builder().build())
                .recheckTimeout(Duration.ofSeconds(20))
                .singleWriter(false)
                .build();
    }

    /** Sends the definitions one after the other, each after some checks, and ends once memory has healed. */
    public static Outcome beside(Place place, List<String> definitions) throws InterruptedException, SQLException {
        return new LiveMigrations(place).run(definitions);
    }

    private Outcome run(List<String> definitions) throws InterruptedException, SQLException {
        List<Thread> threads = new ArrayList<>(List.of(thread(this::signUp), thread(this::ask)));
        if (!place.blocked().isEmpty()) {
            threads.add(thread(this::lookAtLocks));
        }
        try (checker) {
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            threads.forEach(Thread::start);
            long slowest = migrate(definitions);
            end.countDown();
            for (Thread each : threads) {
                each.join();
            }
            return outcome(slowest);
        } finally {
            end.countDown();
        }
    }

    /** How long the slowest took, in nanoseconds. */
    private long migrate(List<String> definitions) throws SQLException {
        long slowest = 0;
        try (Connection connection = place.plain().getConnection();
                Statement statement = connection.createStatement()) {
            for (String definition : definitions) {
                awaitTraffic();
                long began = System.nanoTime();
                for (String part : definition.split(";")) {
                    statement.execute(part.strip().replace("TABLE", place.table()));
                }
                slowest = Math.max(slowest, System.nanoTime() - began);
            }
        }
        Eventually.holds("memory answers again", () -> {
            long before = fromMemory.get();
            awaitTraffic();
            return checker.state(USERNAME) == KindState.READY && fromMemory.get() > before;
        });
        return slowest;
    }

    private Outcome outcome(long slowest) {
        return new Outcome(
                signUps.get(),
                checks.get(),
                fromMemory.get(),
                Map.copyOf(refused),
                Map.copyOf(unanswered),
                List.copyOf(wrong),
                blocked.get(),
                slowest / 1_000_000);
    }

    private void awaitTraffic() {
        long written = signUps.get() + CHECKS_BETWEEN / 4;
        long asked = checks.get() + CHECKS_BETWEEN;
        Eventually.holds("traffic", () -> signUps.get() >= written && checks.get() >= asked);
    }

    private interface Work {
        void run(int number) throws SQLException;
    }

    private Thread thread(Work work) {
        Thread thread = new Thread(() -> {
            for (int number = 0; end.getCount() > 0; number++) {
                try {
                    work.run(number);
                } catch (SQLException e) {
                    refused.merge(String.valueOf(e.getSQLState()), 1L, Long::sum);
                } catch (RuntimeException | Error e) {
                    wrong.add(e.toString());
                    return;
                }
            }
        });
        thread.setDaemon(true);
        return thread;
    }

    private void signUp(int number) throws SQLException {
        String name = "member" + number;
        try (Connection connection = watched.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("insert into " + place.table() + " (username) values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
        signUps.incrementAndGet();
        signedUp.add(name);
        ask(name);
    }

    private void ask(int number) throws SQLException {
        List<String> names = List.copyOf(signedUp);
        SplittableRandom random = new SplittableRandom(number);
        ask(names.isEmpty() || number % 2 == 0 ? "nobody" + number : names.get(random.nextInt(names.size())));
    }

    private void ask(String name) throws SQLException {
        boolean before = exists(name);
        var verdict = checker.check(USERNAME, name);
        boolean after = exists(name);
        checks.incrementAndGet();
        if (verdict.status() == Status.UNKNOWN) {
            unanswered.merge(verdict.reason().orElse(""), 1L, Long::sum);
        }
        if (verdict.decidedBy() == DecidedBy.FILTER) {
            fromMemory.incrementAndGet();
        }
        if (before && after && verdict.available()) {
            wrong.add(name + ", " + verdict.decidedBy());
        }
    }

    private boolean exists(String name) throws SQLException {
        try (Connection connection = place.plain().getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select 1 from " + place.table() + " where username = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    private void lookAtLocks(int number) throws SQLException {
        try (Connection connection = place.plain().getConnection();
                Statement statement = connection.createStatement()) {
            while (end.getCount() > 0) {
                try (ResultSet row = statement.executeQuery(place.blocked())) {
                    row.next();
                    blocked.accumulateAndGet(row.getLong(1), Math::max);
                }
            }
        }
    }
}

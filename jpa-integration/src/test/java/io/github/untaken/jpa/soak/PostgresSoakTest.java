package io.github.untaken.jpa.soak;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Linger;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.Literal;
import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.Seed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real Hibernate on a real PostgreSQL: five threads change names in every way, three check them, one kills connections
 * and asks for rescans, and a book knows the truth of each name. Lasts {@code -Dsoak.seconds} (default 6).
 */
@Tag("ci")
class PostgresSoakTest {
    private static final String CONNECTIONS =
            "select concat_ws(' ', pid, state, backend_xid, wait_event, now() - xact_start,"
                    + " left(query, 30)) from pg_stat_activity where datname = current_database()";

    private static final int WRITERS = 5;
    private static final int CHECKERS = 3;
    private static final int NAMES_OF_EACH = 60;
    private static final int OTHER_ROWS = 20_000;
    private static final int CLOCK_RATE = 100;
    /** A killed connection leaves statements without an answer, and beside one whose names are unknown no birth begins. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final int SECONDS = Integer.getInteger("soak.seconds", 6);

    private final long seed = Seed.of(PostgresSoakTest.class, 20261122);
    private final NameBook book = new NameBook("member", WRITERS * NAMES_OF_EACH);
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final LongAdder checks = new LongAdder();
    private final LongAdder fromMemory = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder falseAvailable = new LongAdder();
    private final AtomicLong kills = new AtomicLong();
    private final LongAdder rebuilds = new LongAdder();
    private volatile boolean ended;

    @Test
    void neverCallsACommittedNameAvailable() throws Exception {
        String url = Engine.POSTGRESQL.create();
        try (HikariDataSource pool = pool(url);
                TestDatabase database = TestDatabase.at(
                        Engine.POSTGRESQL,
                        url,
                        Map.of("jakarta.persistence.nonJtaDataSource", pool, "hibernate.jdbc.batch_size", "20"),
                        Account.class)) {
            database.sql(
                    "insert into Account (id, username) select -1000000000 - n, 'other' || n from generate_series(1, "
                            + OTHER_ROWS + ") n");
            try (AvailabilityChecker checker = checker(database)) {
                awaitReady(checker, database);
                soak(url, database, checker);
                checkEveryName(checker, database);
                report(checker);
            }
        }
        assertThat(falseAvailable.sum()).as("seed %d", seed).isZero();
        assertThat(checks.sum()).isPositive();
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(20);
        pool.setConnectionTimeout(5_000);
        return pool;
    }

    private AvailabilityChecker checker(TestDatabase database) {
        return Linger.set(AvailabilityChecker.builder(), LINGER)
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(PHONE, new Literal())
                .recheckTimeout(Duration.ofMinutes(1))
                .ticker(() -> System.nanoTime() * CLOCK_RATE)
                .auditInterval(Duration.ofSeconds(CLOCK_RATE))
                .listener(new CheckListener() {
                    @Override
                    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
                        rebuilds.increment();
                    }
                })
                .build();
    }

    private void soak(String url, TestDatabase database, AvailabilityChecker checker) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int lane = w;
            running.add(threads.submit(() -> write(url, database, checker, lane)));
        }
        for (int c = 0; c < CHECKERS; c++) {
            SplittableRandom random = new SplittableRandom(seed + 100 + c);
            running.add(threads.submit(() -> check(checker, random)));
        }
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
        SplittableRandom random = new SplittableRandom(seed + 1_000);
        List<Long> heap = new ArrayList<>();
        try (Truth truth = new Truth(url)) {
            truth.callMyself();
            Future<?> disturbing = clock.scheduleWithFixedDelay(
                    () -> disturb(truth, checker, random), 300, 300, TimeUnit.MILLISECONDS);
            for (int quarter = 1; quarter <= 4; quarter++) {
                heap.add(clock.schedule(PostgresSoakTest::usedHeap, SECONDS * 250L, TimeUnit.MILLISECONDS)
                        .get());
                System.out.printf(
                        "after %d/4: %d checks, %d unknown, heap %d MiB%n",
                        quarter, checks.sum(), unknown.sum(), heap.get(quarter - 1) >> 20);
            }
            ended = true;
            disturbing.cancel(false);
            clock.shutdown();
            clock.awaitTermination(20, TimeUnit.SECONDS);
        }
        for (Future<?> each : running) {
            each.get(120, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(heap.get(3)).as("heap by quarter %s", heap).isLessThan(heap.get(0) * 3 / 2 + 32 * 1024 * 1024);
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private Void write(String url, TestDatabase database, AvailabilityChecker checker, int lane) throws SQLException {
        try (Truth truth = new Truth(url)) {
            truth.callMyself();
            SoakWriter writer = new SoakWriter(
                    database, checker, book, truth, lane * NAMES_OF_EACH, NAMES_OF_EACH, seed + lane, counts);
            while (!ended) {
                writer.oneChange();
            }
        }
        return null;
    }

    private Void check(AvailabilityChecker checker, SplittableRandom random) {
        while (!ended) {
            int name = random.nextInt(book.size());
            long look = book.look(name);
            var verdict = checker.check(USERNAME, book.name(name));
            if (verdict.available() && book.wasRegisteredSince(name, look)) {
                falseAvailable.increment();
                System.out.println("FALSE AVAILABLE " + book.history(name) + ", decided by " + verdict.decidedBy());
            }
            checks.increment();
            switch (verdict.decidedBy()) {
                case FILTER, WHITELIST -> fromMemory.increment();
                default -> {}
            }
            if (verdict.status() == Status.UNKNOWN) {
                unknown.increment();
            }
        }
        return null;
    }

    /** Kills a connection, the registry's own as likely as another, or asks for a rescan. */
    private void disturb(Truth truth, AvailabilityChecker checker, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            checker.rescan(USERNAME);
        } else if (truth.killOne()) {
            kills.incrementAndGet();
        }
    }

    private void checkEveryName(AvailabilityChecker checker, TestDatabase database) {
        awaitReady(checker, database);
        for (int name = 0; name < book.size(); name++) {
            assertThat(known(checker, book.name(name)))
                    .as("%s, seed %d", book.name(name), seed)
                    .isEqualTo(book.isRegistered(name) ? Status.TAKEN : Status.AVAILABLE);
        }
        Eventually.holds(
                "nothing lingers", () -> checker.stats(USERNAME).underWay().lingering() == 0);
        KindStats stats = checker.stats(USERNAME);
        assertThat(stats.underWay().open()).isZero();
        assertThat(stats.missesProved()).isZero();
    }

    /** The pool may hand out a few connections that were killed; a question that could not be asked is asked again. */
    private static Status known(AvailabilityChecker checker, String name) {
        Status status = Status.UNKNOWN;
        for (int i = 0; i < 50 && status == Status.UNKNOWN; i++) {
            status = checker.check(USERNAME, name).status();
        }
        return status;
    }

    private static void awaitReady(AvailabilityChecker checker, TestDatabase database) {
        checker.rescan(USERNAME);
        try {
            Eventually.holds("ready", () -> {
                boolean ready = checker.state(USERNAME) == KindState.READY;
                if (!ready && checker.stats(USERNAME).scans().progress().isEmpty()) {
                    checker.rescan(USERNAME);
                }
                return ready;
            });
        } catch (Eventually.WaitedInVain e) {
            System.out.println(checker.stats(USERNAME));
            database.inTransaction(em -> em.createNativeQuery(CONNECTIONS, String.class)
                    .getResultList()
                    .forEach(System.out::println));
            throw e;
        }
    }

    private void report(AvailabilityChecker checker) {
        KindStats stats = checker.stats(USERNAME);
        new TreeMap<>(counts).forEach((what, count) -> System.out.printf("%8d  %s%n", count.sum(), what));
        System.out.printf(
                "%d checks (%d from memory, %d unknown), %d false available, %d connections killed, %d rebuilds,"
                        + " %d lingering, %d renewals, audit %s%n",
                checks.sum(),
                fromMemory.sum(),
                unknown.sum(),
                falseAvailable.sum(),
                kills.get(),
                rebuilds.sum(),
                stats.underWay().lingering(),
                stats.memory().renewals(),
                stats.audit());
    }
}

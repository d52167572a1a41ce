package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.calls.StandIn;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writers, checkers and rescans on a column that merges accents, while somebody kills connections of all of them. What a writer was
 * told is committed is never available, in any spelling that the column holds equal.
 */
class SoakTest {
    private static final IdentifierKind USERNAME = new IdentifierKind("username");
    private static final long SEED = 20261122;

    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong checks = new AtomicLong();
    private final AtomicLong fromMemory = new AtomicLong();
    private final AtomicLong kills = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    @Test
    void forTenSeconds() throws InterruptedException {
        run(Driver.MARIADB, Duration.ofSeconds(10));
    }

    @Test
    @Tag("nightly")
    void forFiveMinutesWithTheDriverOfMariaDb() throws InterruptedException {
        run(Driver.MARIADB, Duration.ofMinutes(5));
    }

    @Test
    @Tag("nightly")
    void forFiveMinutesWithTheDriverOfMySql() throws InterruptedException {
        run(Driver.MYSQL, Duration.ofMinutes(5));
    }

    private interface Work {
        void go(Random random) throws Exception;
    }

    private void run(Driver driver, Duration time) throws InterruptedException {
        Table table = new Table(driver, "varchar(40)");
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(driver.dataSource(), table.name(), "username");
        DataSource fresh = StandIn.of(DataSource.class, (method, arguments) -> driver.connection());
        DataSource watched = WatchedDataSource.of(fresh, identifiers);
        try (table;
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(identifiers)
                        .normalizer(
                                USERNAME,
                                UsernameNormalizer.builder()
                                        .characters(c -> c > ' ' && c < 128)
                                        .build())
                        .recheckTimeout(Duration.ofSeconds(5))
                        .build()) {
            Eventually.holds("the first scan", () -> checker.stats(USERNAME).state() == KindState.READY);
            List<Thread> crew = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                crew.add(thread(i, random -> write(watched, table, random)));
            }
            crew.add(thread(3, random -> check(checker, random)));
            crew.add(thread(4, random -> check(checker, random)));
            crew.add(thread(5, random -> kill(driver, random)));
            crew.add(thread(6, random -> {
                TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1500));
                checker.rescan(USERNAME);
            }));
            crew.forEach(Thread::start);
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            over.set(true);
            for (Thread thread : crew) {
                thread.join();
            }
            Throwable failed = failure.get();
            if (failed != null) {
                throw new AssertionError("seed " + SEED, failed);
            }
            for (String name : committed) {
                assertThat(checker.check(USERNAME, name).available()).isFalse();
            }
            System.out.println("soak " + Product.UNDER_TEST + ", driver " + driver + ", watched, " + time.toSeconds()
                    + " s: " + writes + " commits, "
                    + lost
                    + " transactions cut, " + kills + " connections killed, " + checks + " checks of committed names, "
                    + fromMemory + " free names from memory, "
                    + checker.stats(USERNAME).memory().renewals() + " renewals, 0 false answers");
            assertThat(writes.get()).isPositive();
            assertThat(kills.get()).isPositive();
            assertThat(fromMemory.get()).isPositive();
        }
    }

    private Thread thread(int number, Work work) {
        return new Thread(() -> {
            Random random = new Random(SEED + number);
            try {
                while (!over.get()) {
                    work.go(random);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
                over.set(true);
            }
        });
    }

    /** One in fifty has an accent, which no new name may have. */
    private void write(DataSource watched, Table table, Random random) throws InterruptedException {
        String name = "name" + random.nextInt(1_000_000) + (random.nextInt(50) == 0 ? "\u00e9" : "e");
        boolean rollsBack = random.nextInt(4) == 0;
        boolean sent = false;
        TimeUnit.MILLISECONDS.sleep(random.nextInt(5));
        try (Connection connection = watched.getConnection()) {
            connection.setAutoCommit(false);
            table.insert(connection, name);
            if (rollsBack) {
                connection.rollback();
            } else {
                sent = true;
                connection.commit();
                committed.add(name.replace('\u00e9', 'e').toLowerCase(Locale.ROOT));
                writes.incrementAndGet();
            }
        } catch (SQLException e) {
            if (sent || !"23000".equals(e.getSQLState())) {
                lost.incrementAndGet(); // closed in doubt
            }
        }
    }

    private void check(AvailabilityChecker checker, Random random) {
        String[] known = committed.stream().limit(200 + random.nextInt(200)).toArray(String[]::new);
        for (String name : known) {
            Verdict verdict = checker.check(USERNAME, name);
            checks.incrementAndGet();
            if (verdict.available()) {
                throw new AssertionError("a committed name is available by " + verdict.decidedBy());
            }
        }
        Verdict verdict = checker.check(USERNAME, "free" + random.nextInt());
        if (verdict.available() && verdict.decidedBy() == Verdict.DecidedBy.FILTER) {
            fromMemory.incrementAndGet();
        }
    }

    private void kill(Driver driver, Random random) throws SQLException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(200));
        try (Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            List<String> others = Sessions.others(statement);
            if (!others.isEmpty()) {
                Sessions.end(statement, others.get(random.nextInt(others.size())));
                kills.incrementAndGet();
            }
        }
    }
}

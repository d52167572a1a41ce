package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.Engine;
import io.github.untaken.testkit.Seed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers of every kind and readers at once, with connections killed under them ({@code -Dsoak.seconds}, default 4). A name that a
 * writer was told is committed is remembered, and none of those is ever available.
 */
@Tag("nightly")
class WatchedSoakTest {
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("soak.seconds", 4));

    private static final int SAMPLE = 2_000;
    /** For each second; H2 would make more of them than is of use. */
    private static final long MOST_NAMES = 5_000 * LENGTH.toSeconds();

    private final AtomicInteger number = new AtomicInteger();
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private long end;

    @ParameterizedTest
    @EnumSource
    void noNameThatIsAcknowledgedIsAvailable(Engine engine) throws Exception {
        long seed = Seed.of(WatchedSoakTest.class, 20261122);
        end = System.nanoTime() + LENGTH.toNanos();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PathDatabase database = new PathDatabase(engine, Pooling.HIKARI_INSIDE)) {
            List<Future<?>> running = new ArrayList<>();
            for (Way way : Way.values()) {
                Random random = new Random(seed + way.ordinal());
                running.add(threads.submit(() -> write(database.writer(way), random)));
            }
            running.add(threads.submit(() -> check(database, new Random(seed))));
            if (engine == Engine.POSTGRESQL) {
                running.add(threads.submit(() -> kill(database, new Random(seed))));
            }
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(wrong).as("acknowledged and called available").isEmpty();
            List<String> committed = new ArrayList<>(database.committed());
            Collections.shuffle(committed, new Random(seed));
            for (String name : committed.subList(0, Math.min(committed.size(), SAMPLE))) {
                // Unknown while the connections of the reads are being replaced.
                assertThat(database.status(name)).as(name).isNotEqualTo(Status.AVAILABLE);
            }
            assertThat(acknowledged).hasSizeGreaterThan(50);
            System.out.println(
                    engine + ": " + acknowledged.size() + " names acknowledged, " + committed.size() + " committed");
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean goesOn() {
        return System.nanoTime() < end && acknowledged.size() < MOST_NAMES;
    }

    private void write(Way.Writer writer, Random random) {
        while (goesOn()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                names.add("soak" + number.incrementAndGet());
            }
            int how = random.nextInt(5);
            try {
                writer.inTransaction(within -> {
                    names.forEach(within::insert);
                    if (how == 0) {
                        throw new IllegalStateException("given up");
                    }
                    if (how == 1) {
                        String renamed = names.get(0) + "b";
                        within.rename(names.get(0), renamed);
                        names.set(0, renamed);
                    }
                });
                acknowledged.addAll(names);
            } catch (RuntimeException e) {
                // given up, or the connection was killed
            }
        }
    }

    private void check(PathDatabase database, Random random) {
        while (goesOn()) {
            List<String> known = acknowledged;
            int size = known.size();
            if (size > 0) {
                // The newest most of all.
                String name = known.get(random.nextBoolean() ? size - 1 : random.nextInt(size));
                if (database.status(name) == Status.AVAILABLE) {
                    wrong.add(name);
                }
            }
        }
    }

    private void kill(PathDatabase database, Random random) {
        try (Connection connection = database.table().connection();
                Statement statement = connection.createStatement()) {
            while (goesOn()) {
                LockSupport.parkNanos(random.nextInt(100_000_000));
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where pid <> pg_backend_pid() and query like '%"
                        + database.table().name()
                        + "%' order by random() limit 1");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

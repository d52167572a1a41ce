package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.testkit.Seed;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Writers of every kind and readers at once, with connections killed under them. A name that a writer was told is committed is
 * remembered, and none of those is ever available.
 */
public final class WatchedSoak {
    private static final int SAMPLE = 2_000;
    /** For each second; H2 would make more of them than is of use. */
    private static final long MOST_NAMES = 5_000;
    /** Fewer prove nothing; a busy machine gets more time for them. */
    private static final int FEWEST_NAMES = 50;

    private static final Duration MORE_TIME = Duration.ofMinutes(1);

    private final Duration length;
    private final AtomicInteger number = new AtomicInteger();
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong checks = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private long end;

    private WatchedSoak(Duration length) {
        this.length = length;
    }

    /**
     * Plays for that long, on a busy machine up to a minute longer, and prints what has happened.
     *
     * @param what is printed
     */
    public static void play(String what, PathTable table, Duration length) throws Exception {
        new WatchedSoak(length).play(what, table);
    }

    private void play(String what, PathTable table) throws Exception {
        long seed = Seed.of(WatchedSoak.class, 20261122);
        end = System.nanoTime() + length.toNanos();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (PathDatabase database = new PathDatabase(table, Pooling.HIKARI_INSIDE)) {
            List<Future<?>> running = new ArrayList<>();
            for (Way way : Way.values()) {
                Random random = new Random(seed + way.ordinal());
                running.add(threads.submit(() -> write(database.writer(way), random)));
            }
            running.add(threads.submit(() -> check(database, new Random(seed))));
            running.add(threads.submit(() -> cut(table, new Random(seed))));
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
            assertThat(acknowledged).hasSizeGreaterThan(FEWEST_NAMES);
            System.out.println("soak " + what + ", " + length.toSeconds() + " s: " + acknowledged.size()
                    + " names acknowledged, " + committed.size() + " committed, " + failures + " transactions failed, "
                    + cuts
                    + " connections cut, " + checks + " checks, " + wrong.size() + " false answers");
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean goesOn() {
        long late = System.nanoTime() - end;
        int names = acknowledged.size();
        return names < MOST_NAMES * length.toSeconds()
                && (late < 0 || names <= FEWEST_NAMES && late < MORE_TIME.toNanos());
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
                failures.addAndGet(how == 0 ? 0 : 1); // given up, or the connection was cut
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
                checks.incrementAndGet();
                if (database.status(name) == Status.AVAILABLE) {
                    wrong.add(name);
                }
            }
        }
    }

    private void cut(PathTable table, Random random) {
        while (goesOn()) {
            LockSupport.parkNanos(random.nextInt(100_000_000));
            if (!table.cutAny()) {
                return;
            }
            cuts.incrementAndGet();
        }
    }
}

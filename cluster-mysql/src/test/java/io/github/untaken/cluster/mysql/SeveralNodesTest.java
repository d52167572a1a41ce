package io.github.untaken.cluster.mysql;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes, each with a checker and a feed of its own, over one server; four writers of which none of them hears but by the log. Each
 * name is asked of every node when its commit has returned. The oracle is exact: what has been committed is not available.
 */
class SeveralNodesTest {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final int NODES = 3;

    private final long seed = Long.getLong("test.seed", 20261129);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong falseLatest = new AtomicLong();
    private final AtomicLong falseBounded = new AtomicLong();
    private final AtomicLong freeFromMemory = new AtomicLong();
    private final AtomicLong youngAndAvailable = new AtomicLong();
    private final Queue<Long> latestNanos = new ConcurrentLinkedQueue<>();
    private final Queue<Committed> later = new ConcurrentLinkedQueue<>();

    private record Committed(String name, long at) {}

    private interface Writer {
        /** Commits all of them. */
        void write(List<String> names) throws Exception;
    }

    @Tag("ci")
    @Test
    void fewCommitsAreKnownOnEachNodeAtOnce(@TempDir Path folder) throws Exception {
        play(50, folder);
    }

    @Test
    @Tag("nightly")
    void sixteenThousandCommitsAreKnownOnEachNodeAtOnce(@TempDir Path folder) throws Exception {
        play(4_000, folder);
    }

    private void play(int commitsOfEach, Path folder) throws Exception {
        try (Server server = TestServer.started("--sync-binlog=1");
                HikariDataSource pool = pool(server)) {
            TestServer.sql(
                    server,
                    "create table account (id int auto_increment primary key, username varchar(60) unique)",
                    "create procedure sign_up(name varchar(60)) insert into account (username) values (name)");
            List<AvailabilityChecker> nodes = new ArrayList<>();
            try {
                for (int i = 0; i < NODES; i++) {
                    AvailabilityChecker node = node(server, pool);
                    nodes.add(node); // one after the other, for the first draws the letters of the database for all
                    Eventually.holds("it is ready", () -> node.state(USERNAME) == KindState.READY);
                }
                List<Thread> writers = new ArrayList<>();
                writers.add(writer(0, nodes, commitsOfEach, new Inserting(server)));
                writers.add(writer(1, nodes, commitsOfEach, new Loading(server, folder.resolve("names.txt"))));
                writers.add(writer(2, nodes, commitsOfEach, new Calling(server)));
                writers.add(writer(3, nodes, commitsOfEach, new Renaming(server)));
                writers.forEach(Thread::start);
                for (Thread writer : writers) {
                    writer.join();
                }
                if (failure.get() != null) {
                    throw new AssertionError("seed " + seed, failure.get());
                }
                askLater(nodes, Long.MAX_VALUE);
                report(4 * commitsOfEach, nodes);
                assertThat(falseLatest.get()).as("seed " + seed).isZero();
                assertThat(falseBounded.get()).as("seed " + seed).isZero();
                assertThat(freeFromMemory.get()).isPositive();
                for (AvailabilityChecker node : nodes) {
                    KindStats stats = node.stats(USERNAME);
                    assertThat(stats.missesProved()).isZero();
                    assertThat(stats.following().orElseThrow().gaps().sum()).isZero();
                }
            } finally {
                nodes.forEach(AvailabilityChecker::close);
            }
        }
    }

    private static HikariDataSource pool(Server server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(TestServer.url(server));
        pool.setUsername("untaken");
        pool.setMaximumPoolSize(30);
        return pool;
    }

    private static AvailabilityChecker node(Server server, HikariDataSource pool) {
        return AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(pool, "account", "username"))
                .feed(MySqlFeed.of(TestServer.url(server)).user("untaken").build())
                .bound(BOUND)
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    private Thread writer(int number, List<AvailabilityChecker> nodes, int commits, Writer writer) {
        return new Thread(() -> {
            Random random = new Random(seed + number);
            List<AvailabilityChecker> turns = new ArrayList<>(nodes);
            try {
                for (int i = 0; i < commits && failure.get() == null; i++) {
                    List<String> names = new ArrayList<>();
                    for (int j = 0; j <= random.nextInt(3); j++) {
                        names.add("n" + number + "x" + i + "x" + j);
                    }
                    for (String name : names) {
                        if (random.nextBoolean()) { // it may stand on a whitelist then
                            askFree(nodes.get(random.nextInt(NODES)), name);
                        }
                    }
                    writer.write(names);
                    long at = System.nanoTime();
                    for (String name : names) {
                        Collections.rotate(turns, 1 + random.nextInt(NODES)); // the first has the least time
                        ask(turns, name, at);
                    }
                    askLater(nodes, System.nanoTime() - BOUND.toNanos());
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    private void askFree(AvailabilityChecker node, String name) {
        Verdict verdict = node.check(USERNAME, name);
        assertThat(verdict.available()).isTrue();
        if (verdict.decidedBy() != Verdict.DecidedBy.STORE) {
            freeFromMemory.incrementAndGet();
        }
    }

    private void ask(List<AvailabilityChecker> nodes, String name, long at) {
        for (AvailabilityChecker node : nodes) {
            if (node.check(USERNAME, name).available()) {
                if (System.nanoTime() - at > BOUND.toNanos()) {
                    continue; // nobody knows whether it was sooner
                }
                youngAndAvailable.incrementAndGet();
            }
            long begun = System.nanoTime();
            if (node.latest(USERNAME, name).available()) {
                falseLatest.incrementAndGet();
            }
            latestNanos.add(System.nanoTime() - begun);
        }
        later.add(new Committed(name, at));
    }

    /** Those which were committed before that. */
    private void askLater(List<AvailabilityChecker> nodes, long before) {
        for (Committed next = later.peek(); next != null && next.at() < before; next = later.peek()) {
            Committed taken = later.poll();
            if (taken == null) {
                return;
            }
            if (taken.at() >= before) {
                later.add(taken);
                return;
            }
            for (AvailabilityChecker node : nodes) {
                while (System.nanoTime() - taken.at() <= BOUND.toNanos()) {
                    Thread.onSpinWait();
                }
                if (node.check(USERNAME, taken.name()).available()) {
                    falseBounded.incrementAndGet();
                }
            }
        }
    }

    private void report(int commits, List<AvailabilityChecker> nodes) {
        long[] nanos = latestNanos.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.println(Product.UNDER_TEST + ", seed " + seed + ": " + commits + " commits, " + nanos.length
                + " latest answers, " + falseLatest + " false, p50 " + nanos[nanos.length / 2] / 1_000 + " us, p99 "
                + nanos[(int) (nanos.length * 0.99)] / 1_000 + " us; " + falseBounded
                + " false beyond the bound; " + youngAndAvailable + " available within it; " + freeFromMemory
                + " free names from memory; questions "
                + nodes.stream()
                        .map(node -> node.stats(USERNAME)
                                        .following()
                                        .orElseThrow()
                                        .questions()
                                        .answered() + "/"
                                + node.stats(USERNAME)
                                        .following()
                                        .orElseThrow()
                                        .questions()
                                        .failed())
                        .toList());
    }

    /** As somebody at a console. */
    private static class Inserting implements Writer {
        private final Connection console;

        Inserting(Server server) {
            console = TestServer.console(server);
        }

        @Override
        public void write(List<String> names) throws SQLException {
            try (PreparedStatement insert = console.prepareStatement(
                    "insert into account (username) values" + " (?)" + ", (?)".repeat(names.size() - 1))) {
                for (int i = 0; i < names.size(); i++) {
                    insert.setString(i + 1, names.get(i));
                }
                insert.executeUpdate();
            }
        }
    }

    private static final class Loading implements Writer {
        private final Connection console;
        private final Path file;

        Loading(Server server, Path file) {
            this.console = TestServer.console(server);
            this.file = file;
        }

        @Override
        public void write(List<String> names) throws Exception {
            Files.write(file, names);
            Console.sql(console, "load data local infile '" + file + "' into table account (username)");
        }
    }

    private static final class Calling implements Writer {
        private final Connection console;

        Calling(Server server) {
            console = TestServer.console(server);
        }

        @Override
        public void write(List<String> names) throws SQLException {
            console.setAutoCommit(false);
            try (CallableStatement call = console.prepareCall("{call sign_up(?)}")) {
                for (String name : names) {
                    call.setString(1, name);
                    call.execute();
                }
            }
            console.commit();
        }
    }

    /** Inserts under another name, and updates that. */
    private static final class Renaming implements Writer {
        private final Connection console;

        Renaming(Server server) {
            console = TestServer.console(server);
        }

        @Override
        public void write(List<String> names) throws SQLException {
            console.setAutoCommit(false);
            for (String name : names) {
                Console.sql(
                        console,
                        "insert into account (username) values ('old" + name + "')",
                        "update account set username = '" + name + "' where username = 'old" + name + "'");
            }
            console.commit();
        }
    }
}

package io.github.untaken.nodes;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of docs/cluster.md, printed. They say something of an idle machine only. */
@Tag("nightly")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FiguresTest {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final int COMMITS = 2_000;
    private static final int BULK = 300_000;
    private static final int TAKEN = 100_000;
    private static final int POOL = 10;
    private static final Pattern SERVER = Pattern.compile("/(mariadbd|mysqld) ");

    @TempDir
    private Path folder;

    /** What a commit costs, without nodes and with three; how long it takes to be known; what idle nodes and a bulk load cost. */
    @Test
    void threeNodes() throws Exception {
        try (Cluster cluster = Cluster.empty(folder, BOUND);
                Hand hand = new Hand.Jdbc(() -> cluster.primary().port())) {
            commits(hand, "warm", COMMITS);
            long[] without = commits(hand, "without", COMMITS);
            cluster.with(3);
            commits(hand, "again", COMMITS / 2);
            long[] beside = commits(hand, "with", COMMITS);
            print("a commit without nodes", without);
            print("a commit with three nodes", beside);

            Tally tally = new Tally();
            try (Asker asker = new Asker(cluster, tally, Set.of())) {
                for (int i = 0; i < COMMITS; i++) {
                    String name = "taken" + i;
                    hand.insert(name);
                    asker.askFirst(3, name, System.nanoTime(), "bounded");
                }
            }
            System.out.println("cost of knowing: " + tally);
            idle(cluster);
            bulk(cluster);
        }
    }

    private static long[] commits(Hand hand, String prefix, int count) throws Exception {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            hand.insert(prefix + i);
            nanos[i] = System.nanoTime() - begun;
        }
        return nanos;
    }

    private static void idle(Cluster cluster) {
        List<Duration> before = cluster.nodes().stream().map(NodeProcess::cpu).toList();
        Duration server = serverCpu(cluster);
        long begun = System.nanoTime();
        Cluster.await("some time", () -> System.nanoTime() - begun > 20_000_000_000L);
        for (int node = 0; node < before.size(); node++) {
            System.out.printf(
                    Locale.ROOT,
                    "cost of an idle node: %.1f %% of a core%n",
                    100.0 * cluster.node(node).cpu().minus(before.get(node)).toNanos() / (System.nanoTime() - begun));
        }
        System.out.printf(
                Locale.ROOT,
                "cost of %d idle nodes for the server's processes: %.1f %% of a core%n",
                before.size(),
                100.0 * serverCpu(cluster).minus(server).toNanos() / (System.nanoTime() - begun));
    }

    /** Of the processes that are there now: connections that have ended in between are not counted. */
    private static Duration serverCpu(Cluster cluster) {
        Stream<ProcessHandle> processes = Database.CHOSEN == Database.POSTGRESQL
                ? cluster.primary().query("select pid::text from pg_stat_activity").stream()
                        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                : ProcessHandle.current()
                        .descendants()
                        .filter(process -> SERVER.matcher(
                                        process.info().commandLine().orElse(""))
                                .find());
        return processes
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static void bulk(Cluster cluster) throws IOException {
        long told = cluster.node(0).stats().told();
        long begun = System.nanoTime();
        insert(cluster, "bulk", BULK);
        long committed = System.nanoTime();
        for (NodeProcess node : cluster.nodes()) {
            Cluster.await("all is told", () -> told(node) >= told + BULK);
        }
        double seconds = (System.nanoTime() - committed) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "cost of a bulk load of %d rows in one transaction of %.1f s: known to three nodes %.1f s after its commit, %.0f rows/s%n",
                BULK,
                (committed - begun) / 1e9,
                seconds,
                BULK / seconds);
    }

    /** From the start of a process until it answers from memory: by a scan of a million rows, then by what it kept of its life before. */
    @Test
    void restart() throws Exception {
        try (Cluster cluster = Cluster.empty(folder, BOUND).keepingSnapshots()) {
            insert(cluster, "taken", 1_000_000);
            cluster.with(1);
            printStart(cluster, "the first start");
            for (int i = 0; i < 3; i++) {
                cluster.node(0).close();
                cluster.restart(0);
                cluster.awaitReady();
                printStart(cluster, "a restart");
            }
        }
    }

    private static void printStart(Cluster cluster, String what) throws IOException {
        Duration age = cluster.node(0).age();
        boolean kept = cluster.node(0).stats().scanMillis() > age.toMillis();
        System.out.printf(
                Locale.ROOT, "cost of %s, %s: %.1f s%n", what, kept ? "from files" : "by a scan", age.toMillis() / 1e3);
    }

    /** In one transaction, by one statement that each database takes: none counts beyond 1,000 unasked. */
    private static void insert(Cluster cluster, String prefix, int rows) {
        cluster.primary()
                .sql("insert into account (username)"
                        + " with recursive n (x) as (select 0 union all select x + 1 from n where x < 999)"
                        + " select concat('" + prefix
                        + "', 1000 * a.x + b.x) from n a cross join n b where 1000 * a.x + b.x < "
                        + rows);
    }

    private static long told(NodeProcess node) {
        try {
            return node.stats().told();
        } catch (IOException e) {
            return 0;
        }
    }

    /** A node in this process, without HTTP: a latest check of a free name beside a check of a taken one, which reads the database. */
    @Test
    void latestChecks() throws Exception {
        try (Cluster cluster = Cluster.empty(folder, BOUND)) {
            insert(cluster, "taken", TAKEN);
            int port = cluster.primary().port();
            try (Node node = new Node(new NodeOptions("measured", port, port, BOUND))) {
                AvailabilityChecker checker = node.checker();
                Cluster.await(
                        "ready",
                        () -> NodeStats.of(checker.stats(IdentifierKind.USERNAME))
                                .ready());
                for (int callers : new int[] {1, 16, 64, 256, 1, 16, 64, 256}) {
                    int each = Math.max(40, 8_000 / callers);
                    KindStats before = checker.stats(IdentifierKind.USERNAME);
                    long[] latest = called(callers, each, i -> {
                        if (!checker.latest(IdentifierKind.USERNAME, "free" + i).available()) {
                            throw new IllegalStateException("not available");
                        }
                    });
                    KindStats after = checker.stats(IdentifierKind.USERNAME);
                    long[] store = called(callers, each, i -> {
                        if (checker.check(IdentifierKind.USERNAME, "taken" + i % TAKEN)
                                .available()) {
                            throw new IllegalStateException("available");
                        }
                    });
                    long questions = after.following().orElseThrow().questions().answered()
                            - before.following().orElseThrow().questions().answered();
                    print(
                            callers + " callers, latest, " + 1_000 * questions / latest.length
                                    + " questions per 1,000 checks, "
                                    + (after.reads().made() - before.reads().made())
                                    + " store reads",
                            latest);
                    print(callers + " callers, the database", store);
                    print(callers + " callers, a bare read of the index", bareReads(port, callers, each));
                }
            }
        }
    }

    /** By prepared statements over as many connections as a pool has, each waited for. */
    private static long[] bareReads(int port, int callers, int each) throws Exception {
        BlockingQueue<PreparedStatement> pool = new LinkedBlockingQueue<>();
        for (int i = 0; i < POOL; i++) {
            pool.add(DriverManager.getConnection(Database.CHOSEN.url(port))
                    .prepareStatement("select 1 from account where username = ?"));
        }
        try {
            return called(callers, each, i -> {
                try {
                    PreparedStatement statement = pool.take();
                    try {
                        statement.setString(1, "free" + i);
                        try (ResultSet row = statement.executeQuery()) {
                            if (row.next()) {
                                throw new IllegalStateException("taken");
                            }
                        }
                    } finally {
                        pool.add(statement);
                    }
                } catch (SQLException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        } finally {
            for (PreparedStatement statement : pool) {
                statement.getConnection().close();
            }
        }
    }

    /** Nanoseconds of each call. */
    private static long[] called(int callers, int each, IntConsumer call) throws InterruptedException {
        long[] nanos = new long[callers * each];
        List<Thread> threads = new ArrayList<>();
        for (int caller : IntStream.range(0, callers).toArray()) {
            Thread thread = new Thread(() -> {
                for (int i = caller * each; i < (caller + 1) * each; i++) {
                    long begun = System.nanoTime();
                    call.accept(i);
                    nanos[i] = System.nanoTime() - begun;
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return nanos;
    }

    private static void print(String what, long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "cost of %s: p50 %.2f, p99 %.2f, max %.2f ms (%d)%n",
                what,
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6,
                sorted[sorted.length - 1] / 1e6,
                sorted.length);
    }
}

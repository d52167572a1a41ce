package io.github.untaken.benchmarks.shared;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.benchmarks.MariaDbServer;
import io.github.untaken.benchmarks.http.Latencies;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.redisson.api.RBloomFilter;

/**
 * Three nodes of an application over one MariaDB ask for names: by the unique index, by a Bloom filter in a Redis that they share, and by
 * Untaken. Speed by turns, several rounds; and what each says after what happens to an application.
 */
public final class SharedFilterTrial {
    private static final int NODES = 3;
    private static final int CALLERS = 16;
    private static final int ROUNDS = 3;
    private static final long ROUND_NANOS = 4_000_000_000L;
    private static final int NAMES = 500;

    private final long rows;
    private final PrintStream out;
    private final Map<String, List<Node>> ways = new LinkedHashMap<>();

    private SharedFilterTrial(long rows, PrintStream out) {
        this.rows = rows;
        this.out = out;
    }

    /**
     * Plays it, for some two minutes.
     *
     * @param arguments the number of rows; 1,000,000 by default
     */
    public static void run(List<String> arguments, PrintStream out) throws IOException, InterruptedException {
        new SharedFilterTrial(arguments.isEmpty() ? 1_000_000 : Long.parseLong(arguments.get(0)), out).run();
    }

    private void run() throws IOException, InterruptedException {
        try (MariaDbServer server = new MariaDbServer(
                        "--log-bin", "--server-id=1", "--binlog-format=ROW", "--max-connections=300");
                RedisServer redis = new RedisServer()) {
            List<HikariDataSource> pools = new ArrayList<>();
            try {
                for (int i = 0; i < NODES; i++) {
                    pools.add(pool(server.url()));
                }
                fill(pools.get(0));
                open(pools, server.url(), redis.port());
                speed(pools.get(0), redis.port());
                for (Map.Entry<String, List<Node>> way : ways.entrySet()) {
                    if (!way.getKey().equals("index")) {
                        play(way.getKey(), way.getValue(), pools.get(0), redis);
                    }
                }
            } catch (SQLException e) {
                throw new IOException(e);
            } finally {
                ways.values().forEach(nodes -> nodes.forEach(Node::close));
                pools.forEach(HikariDataSource::close);
            }
        }
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(40);
        return pool;
    }

    private void fill(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table account (id bigint auto_increment primary key,"
                    + " username varchar(60) not null, unique (username))");
            statement.execute("insert into account (username) select concat('user', seq) from seq_1_to_" + rows);
        }
    }

    private void open(List<HikariDataSource> pools, String url, int redisPort) throws InterruptedException {
        List<Node> index = new ArrayList<>();
        List<Node> redis = new ArrayList<>();
        List<Node> bounded = new ArrayList<>();
        List<Node> latest = new ArrayList<>();
        for (HikariDataSource pool : pools) {
            Accounts accounts = new Accounts(pool);
            index.add(new IndexNode(accounts));
            RedisNode node = new RedisNode(accounts, redisPort);
            redis.add(node);
            var filter = node.filter(2 * rows);
            if (redis.size() == 1) {
                fill(filter);
            }
            UntakenNode untaken = new UntakenNode(accounts, url, false);
            bounded.add(untaken);
            UntakenNode untakenLatest = new UntakenNode(accounts, url, true);
            latest.add(untakenLatest);
            while (!untaken.isReady() || !untakenLatest.isReady()) {
                Thread.sleep(10);
            }
        }
        ways.put("index", index);
        ways.put("Redis", redis);
        ways.put("Untaken", bounded);
        ways.put("Untaken, latest", latest);
    }

    private void fill(RBloomFilter<String> filter) {
        for (long first = 1; first <= rows; first += 10_000) {
            filter.add(LongStream.range(first, Math.min(rows + 1, first + 10_000))
                    .mapToObj(number -> "user" + number)
                    .toList());
        }
    }

    private void speed(HikariDataSource counted, int redisPort) throws SQLException, IOException, InterruptedException {
        out.printf(
                Locale.ROOT,
                "%-16s %-6s %22s %10s %10s %12s %14s%n",
                "",
                "names",
                "answers a second",
                "p50 us",
                "p99 us",
                "SQL each",
                "Redis each");
        for (boolean taken : new boolean[] {false, true}) {
            Map<String, List<Round>> rounds = new LinkedHashMap<>();
            for (int round = -1; round < ROUNDS; round++) {
                for (Map.Entry<String, List<Node>> way : ways.entrySet()) {
                    Round one = round(way.getValue(), taken, counted, redisPort);
                    if (round >= 0) {
                        rounds.computeIfAbsent(way.getKey(), any -> new ArrayList<>())
                                .add(one);
                    }
                }
            }
            rounds.forEach((way, all) -> print(way, taken, all));
        }
    }

    private record Round(Latencies latencies, double seconds, long sql, long redis) {
        double perSecond() {
            return latencies.count() / seconds;
        }
    }

    private Round round(List<Node> nodes, boolean taken, HikariDataSource counted, int redisPort)
            throws SQLException, IOException, InterruptedException {
        long sql = statements(counted);
        long redis = RedisCalls.of(redisPort);
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean wrong = new AtomicBoolean();
        List<Latencies> all = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Latencies latencies = new Latencies();
            all.add(latencies);
            Node node = nodes.get(i % NODES);
            SplittableRandom random = new SplittableRandom(i);
            callers.add(new Thread(() -> {
                while (!over.get()) {
                    String name = (taken ? "user" : "free") + (1 + random.nextLong(rows));
                    long begun = System.nanoTime();
                    boolean available = node.isAvailable(name);
                    latencies.count(System.nanoTime() - begun);
                    if (taken && available) {
                        wrong.set(true);
                    }
                }
            }));
        }
        long begun = System.nanoTime();
        callers.forEach(Thread::start);
        Thread.sleep(ROUND_NANOS / 1_000_000);
        over.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        if (wrong.get()) {
            throw new IOException("a taken name was called available");
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        Latencies sum = new Latencies();
        all.forEach(sum::add);
        return new Round(sum, seconds, statements(counted) - sql, RedisCalls.of(redisPort) - redis);
    }

    private void print(String way, boolean taken, List<Round> rounds) {
        double[] speeds = rounds.stream().mapToDouble(Round::perSecond).sorted().toArray();
        Latencies sum = new Latencies();
        rounds.forEach(round -> sum.add(round.latencies()));
        double asked = sum.count();
        out.printf(
                Locale.ROOT,
                "%-16s %-6s %,8.0f (%,.0f-%,.0f) %10d %10d %12.4f %14.2f%n",
                way,
                taken ? "taken" : "free",
                speeds[speeds.length / 2],
                speeds[0],
                speeds[speeds.length - 1],
                sum.micros(0.5),
                sum.micros(0.99),
                rounds.stream().mapToLong(Round::sql).sum() / asked,
                rounds.stream().mapToLong(Round::redis).sum() / asked);
    }

    private static long statements(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show global status like 'Questions'")) {
            row.next();
            return row.getLong(2);
        }
    }

    private void play(String way, List<Node> nodes, HikariDataSource pool, RedisServer redis)
            throws SQLException, IOException, InterruptedException {
        String of = way.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
        Accounts accounts = new Accounts(pool);
        int atOnce = 0;
        for (int i = 0; i < NAMES; i++) {
            String name = of + "signedup" + i;
            nodes.get(0).signUp(name);
            atOnce += nodes.get(1).isAvailable(name) ? 1 : 0;
        }
        say(way, "signed up at another node, asked at once: available", atOnce);
        Thread.sleep(1_500);
        say(way, "the same, after 1.5 s", available(nodes.get(1), of + "signedup"));
        for (int i = 0; i < NAMES; i++) {
            nodes.get(0).delete(of + "signedup" + i);
        }
        say(way, "deleted at another node: available", available(nodes.get(2), of + "signedup"));
        for (int i = 0; i < NAMES; i++) {
            accounts.insert(of + "lost" + i); // the process ends before it has told anybody
        }
        Thread.sleep(1_500);
        say(way, "committed by a process that then died: available", available(nodes.get(1), of + "lost"));
        if (way.equals("Redis")) {
            redis.kill();
            int unanswered = 0;
            for (int i = 1; i <= 20; i++) {
                try {
                    boolean unused = nodes.get(1).isAvailable("user" + i);
                } catch (RuntimeException e) {
                    unanswered++;
                }
            }
            say(way, "unanswered of 20 while Redis is away", unanswered);
            redis.start();
            for (int i = 0; i < NAMES; i++) {
                nodes.get(0).signUp(of + "after" + i);
            }
            redis.kill();
            redis.start();
            Thread.sleep(2_000);
            say(way, "taken names after Redis was killed and started anew: available", available(nodes.get(1), "user"));
            say(way, "those signed up shortly before that: available", available(nodes.get(1), of + "after"));
        }
    }

    /** How many of the names with that beginning. */
    private static int available(Node node, String beginning) {
        int available = 0;
        for (int i = 1; i < NAMES; i++) {
            available += node.isAvailable(beginning + i) ? 1 : 0;
        }
        return available;
    }

    private void say(String way, String what, int count) {
        out.printf(Locale.ROOT, "%-16s %s: %d%n", way, what, count);
    }
}

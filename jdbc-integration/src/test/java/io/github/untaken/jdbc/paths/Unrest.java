package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.TestTable;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.jdbc.paths.NameTruth.Known;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.Seed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * A database that answers, and everything an application does to it at once: sign-ups, names given back, renames, deletions, bulk
 * statements, scans from the first on, indexes and columns that come and go, settings, statements that nobody closes, and a
 * second process for a while. Each check is judged by what is certain of its name; none may be wrong, and none unknown.
 */
final class Unrest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final long LONGEST_EXTENSION_NANOS = 60_000_000_000L;
    private static final int WRITERS = 4;
    private static final int CHECKERS = 3;
    private static final int NAMES_OF_EACH = 40;
    private static final int OTHER_ROWS = 20_000;
    /**
     * How much faster the checkers' time passes half of the time, or a scan a minute would be all that they are given. In the other half
     * it does not, for who seems to stand still between two looks at other writers does not answer from memory.
     */
    private static final int HASTE = 200;

    private static final long PHASE_NANOS = 3_000_000_000L;

    /** One who writes; the names are written by nobody else. */
    private record Author(DataSource to, List<NameTruth> names, Random random) {}

    private final Engine engine;
    private final Duration length;
    private final long seed = Seed.of(UnrestTest.class, 20261124);
    private final TestTable table;
    private final List<NameTruth> all = new ArrayList<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private long end;

    Unrest(Engine engine, Duration length) {
        this.engine = engine;
        this.length = length;
        this.table = TestTable.on(engine, "varchar(40)");
    }

    void play() throws Exception {
        fill();
        HikariDataSource pool = pool();
        HikariDataSource reads = pool();
        try {
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(reads, table.name(), "username");
            DataSource watched = WatchedDataSource.of(pool, identifiers);
            end = System.nanoTime() + length.toNanos();
            List<Author> authors = IntStream.range(0, WRITERS)
                    .mapToObj(i -> author(watched, "first" + i))
                    .toList();
            Author importer = author(watched, "import");
            Author second = author(watched, "second");
            // Not waited for: the first scan is part of it.
            try (AvailabilityChecker checker = checker(identifiers)) {
                List<Future<?>> running = new ArrayList<>();
                for (Author author : authors) {
                    running.add(threads.submit(() -> write(author)));
                }
                running.add(threads.submit(() -> unrest(checker, importer)));
                for (int i = 0; i < CHECKERS; i++) {
                    Random random = new Random(seed + 100 + i);
                    running.add(threads.submit(() -> check(checker, random, "")));
                }
                running.add(threads.submit(() -> secondProcess(checker, second)));
                for (Future<?> each : running) {
                    each.get();
                }
                report();
                assertThat(wrong).isEmpty();
                // While it goes on that may be seldom: how seldom is a matter of the machine.
                Eventually.holds(
                        "answered from memory",
                        () -> checker.check(USERNAME, "nobody" + System.nanoTime())
                                        .decidedBy()
                                == Verdict.DecidedBy.FILTER);
                awaitReady(checker);
                for (NameTruth truth : all) {
                    judge(checker, truth, "at the end ");
                }
                assertThat(wrong).isEmpty();
            }
        } finally {
            end = System.nanoTime();
            threads.shutdownNow();
            pool.close();
            reads.close();
            table.close();
        }
    }

    /** So that a scan takes its time. */
    private void fill() {
        String numbers = engine == Engine.H2
                ? "system_range(1, " + OTHER_ROWS + ") n(x)"
                : "generate_series(1, " + OTHER_ROWS + ") n(x)";
        table.sql("insert into TABLE (username) select concat('other', x) from " + numbers);
    }

    /** With connections to spare from the beginning. */
    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(table.dataSource());
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(4);
        HikariDataSource pool = new HikariDataSource(config);
        Eventually.holds("filled", () -> pool.getHikariPoolMXBean().getIdleConnections() >= 4);
        return pool;
    }

    private Author author(DataSource to, String prefix) {
        List<NameTruth> names = IntStream.range(0, NAMES_OF_EACH)
                .mapToObj(i -> new NameTruth(prefix + "n" + i))
                .toList();
        all.addAll(names);
        return new Author(to, names, new Random(seed + all.size()));
    }

    private AvailabilityChecker checker(JdbcIdentifiers identifiers) {
        return AvailabilityChecker.builder()
                .source(identifiers)
                .ticker(Unrest::hastyTime)
                .rescanInterval(Duration.ofDays(365))
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        count("became " + state, 1);
                    }
                })
                .recheckTimeout(Duration.ofMinutes(1)) // a busy machine is no outage
                .build();
    }

    private static long hastyTime() {
        long now = System.nanoTime();
        long phases = Math.floorDiv(now, 2 * PHASE_NANOS);
        long within = Math.floorMod(now, 2 * PHASE_NANOS);
        return phases * (HASTE + 1) * PHASE_NANOS
                + HASTE * Math.min(within, PHASE_NANOS)
                + Math.max(0, within - PHASE_NANOS);
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    /** A machine that has other work is given longer, until memory has answered for once. */
    private boolean goesOn() {
        long over = System.nanoTime() - end;
        return over < 0 || over < LONGEST_EXTENSION_NANOS && count("memory") == 0;
    }

    private void count(String what, int by) {
        counts.computeIfAbsent(what, any -> new LongAdder()).add(by);
    }

    private long count(String what) {
        LongAdder found = counts.get(what);
        return found == null ? 0 : found.sum();
    }

    private void report() {
        System.out.println("unrest " + engine + ", " + length.toSeconds() + " s: " + new TreeMap<>(counts) + ", "
                + wrong.size() + " wrong");
    }

    // ---------------------------------------------------------------- checks

    private void check(AvailabilityChecker checker, Random random, String who) {
        while (goesOn() && !Thread.currentThread().isInterrupted()) {
            judge(checker, all.get(random.nextInt(all.size())), who);
            Verdict never = checker.check(USERNAME, "nobody" + random.nextInt(1_000_000));
            if (!never.available()) {
                wrong.add(who + never.status() + " of a name that nobody ever wrote, by " + never.decidedBy());
            }
        }
    }

    private void judge(AvailabilityChecker checker, NameTruth truth, String who) {
        NameTruth.Certainty before = truth.now();
        Verdict verdict = checker.check(USERNAME, truth.name());
        boolean certain = truth.now().equals(before);
        count(who + "checks", 1);
        switch (verdict.decidedBy()) {
            case FILTER, WHITELIST -> count("memory", 1);
            default -> count("database", 1);
        }
        if (verdict.status() == Status.UNKNOWN) {
            wrong.add(who + verdict.reason() + " of " + truth.name());
        }
        if (certain && before.known() != Known.DOUBTFUL) {
            count("judged " + before.known().name().toLowerCase(Locale.ROOT), 1);
            if (verdict.available() != (before.known() == Known.FREE)) {
                wrong.add(who + truth.name() + " is " + before + ", but was called " + verdict.status() + " by "
                        + verdict.decidedBy());
            }
        }
    }

    // ---------------------------------------------------------------- writes

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private void write(Author author) {
        while (goesOn()) {
            step(author);
            LockSupport.parkNanos(
                    author.random().nextInt(4_000_000)); // H2's barrier waits for sessions, which rest then
        }
    }

    private void step(Author author) {
        Random random = author.random();
        NameTruth one = author.names().get(random.nextInt(author.names().size()));
        NameTruth other = author.names().get(random.nextInt(author.names().size()));
        if (one.is(Known.FREE)) {
            switch (random.nextInt(7)) {
                case 0 -> given(author, "rolled back", Known.FREE, one, c -> insert(c, one.name()));
                case 1 ->
                    given(author, "to a savepoint", Known.FREE, one, c -> {
                        var savepoint = c.setSavepoint();
                        insert(c, one.name());
                        c.rollback(savepoint);
                    });
                case 2 -> unclosed(author, one);
                case 3 -> alone(author, one);
                default -> given(author, "inserted", Known.TAKEN, one, c -> insert(c, one.name()));
            }
        } else if (other.is(Known.FREE)) {
            rename(author, one, other);
        } else {
            switch (random.nextInt(3)) {
                case 0 -> given(author, "refused", Known.TAKEN, one, c -> insert(c, one.name()));
                case 1 -> given(author, "set", Known.TAKEN, one, this::set);
                default ->
                    given(author, "deleted", Known.FREE, one, c -> update(c, "delete from T where username = ?", one));
            }
        }
    }

    /** In a transaction, that ends so that this is known. */
    private void given(Author author, String what, Known after, NameTruth name, Work work) {
        boolean commits = !what.equals("rolled back");
        inTransaction(author, what, commits, List.of(name), List.of(after), work);
    }

    private void rename(Author author, NameTruth from, NameTruth to) {
        boolean commits = author.random().nextInt(3) > 0;
        inTransaction(
                author,
                commits ? "renamed" : "rename rolled back",
                commits,
                List.of(from, to),
                commits ? List.of(Known.FREE, Known.TAKEN) : List.of(Known.TAKEN, Known.FREE),
                c -> update(c, "update T set username = '" + to.name() + "' where username = ?", from));
    }

    private void inTransaction(
            Author author, String what, boolean commits, List<NameTruth> names, List<Known> after, Work work) {
        names.forEach(name -> name.become(Known.DOUBTFUL));
        try (Connection connection = author.to().getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                if (author.random().nextInt(10) == 0) {
                    LockSupport.parkNanos(author.random().nextInt(20_000_000)); // others read and scan meanwhile
                }
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                for (int i = 0; i < names.size(); i++) {
                    names.get(i).become(after.get(i));
                }
                count(what, 1);
            } catch (SQLException e) {
                connection.rollback();
                count(what.equals("refused") ? what : what + ", but failed", 1);
                names.forEach(this::look);
            }
        } catch (SQLException e) {
            count("connection failed", 1);
            names.forEach(this::look);
        }
    }

    /** The truth, after a failure and a rollback: over a connection of its own. */
    private void look(NameTruth name) {
        String rows = table.query("select count(*) from TABLE where username = '" + name.name() + "'");
        name.become(rows.equals("0") ? Known.FREE : Known.TAKEN);
    }

    private void insert(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("insert into " + table.name() + " (username) values (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
    }

    private void update(Connection connection, String sql, NameTruth name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.replace(" T ", " " + table.name() + " "))) {
            statement.setString(1, name.name());
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private void alone(Author author, NameTruth name) {
        name.become(Known.DOUBTFUL);
        try (Connection connection = author.to().getConnection()) {
            insert(connection, name.name());
            name.become(Known.TAKEN);
            count("autocommitted", 1);
        } catch (SQLException e) {
            count("autocommitted, but failed", 1);
            look(name);
        }
    }

    /** Statements and results are left to whoever takes the connection back. */
    @SuppressWarnings("StreamResourceLeak")
    private void unclosed(Author author, NameTruth name) {
        given(author, "unclosed", Known.TAKEN, name, connection -> {
            PreparedStatement statement = connection.prepareStatement(
                    "insert into " + table.name() + " (username) values (?)", Statement.RETURN_GENERATED_KEYS);
            statement.setString(1, name.name());
            statement.execute();
            connection
                    .createStatement()
                    .executeQuery("select username from " + table.name() + " order by id")
                    .next();
        });
    }

    private void set(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(engine == Engine.H2 ? "set lock_timeout 20000" : "set application_name = 'unrest'");
        }
    }

    // ---------------------------------------------------------------- what is rarer

    private void unrest(AvailabilityChecker checker, Author importer) {
        Random random = importer.random();
        int number = 0;
        awaitReady(checker); // whoever writes by name has no such patience
        while (goesOn()) {
            // Several at once, and then a while in which memory can come to answer.
            LockSupport.parkNanos(random.nextInt(4) == 0 ? 2_000_000_000L : random.nextInt(100_000_000));
            number++;
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    checker.rescan(USERNAME);
                    count("scans asked for", 1);
                }
                case 2 -> {
                    define(importer, "create index unrest" + number + " on " + table.name() + " (id, username)");
                    define(importer, "drop index unrest" + number);
                }
                case 3 -> {
                    // H2 itself loses rows that are written while a column is added.
                    if (engine == Engine.POSTGRESQL) {
                        define(importer, "alter table " + table.name() + " add column unrest" + number + " int");
                    }
                }
                default -> bulk(importer);
            }
        }
    }

    private void define(Author author, String sql) {
        try (Connection connection = author.to().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            count("definitions", 1);
        } catch (SQLException e) {
            count("definitions, but failed", 1);
        }
    }

    /** All that are free, in one statement that nobody can read the names of; or away with all that are not. */
    private void bulk(Author importer) {
        List<NameTruth> free =
                importer.names().stream().filter(name -> name.is(Known.FREE)).toList();
        String prefix = importer.names().get(0).name().replaceAll("[0-9]+$", "");
        String sql = free.isEmpty()
                ? "delete from " + table.name() + " where username like '" + prefix + "%'"
                : "insert into " + table.name() + " (username) select concat('" + prefix + "', x) from "
                        + (engine == Engine.H2 ? "system_range" : "generate_series") + "(0, " + (NAMES_OF_EACH - 1)
                        + ") n(x)";
        List<Known> after = importer.names().stream()
                .map(name -> free.isEmpty() ? Known.FREE : Known.TAKEN)
                .toList();
        inTransaction(importer, free.isEmpty() ? "bulk deleted" : "bulk inserted", true, importer.names(), after, c -> {
            try (Statement statement = c.createStatement()) {
                statement.executeUpdate(sql);
            }
        });
    }

    /** Pool, watch and checker of its own; it writes as soon as the first one knows of it, where processes can know of each other. */
    private void secondProcess(AvailabilityChecker first, Author names) {
        awaitReady(first);
        HikariDataSource pool = pool();
        HikariDataSource reads = pool();
        long leaves = System.nanoTime() + length.toNanos() / 4;
        try {
            JdbcIdentifiers identifiers = JdbcIdentifiers.table(reads, table.name(), "username");
            Author author = new Author(WatchedDataSource.of(pool, identifiers), names.names(), names.random());
            try (AvailabilityChecker checker = checker(identifiers)) {
                boolean marked = engine == Engine.POSTGRESQL;
                Random random = new Random(seed + 200);
                if (marked) {
                    Eventually.holds(
                            "the first one answers from the database",
                            () -> first.state(USERNAME) != KindState.READY
                                    && first.stats(USERNAME).reason().contains("another process"));
                }
                while (System.nanoTime() - leaves < 0) {
                    if (marked) {
                        step(author);
                        judge(checker, all.get(random.nextInt(all.size())), "second ");
                    } else if (checker.check(USERNAME, "nobody" + random.nextInt(1_000_000))
                                    .status()
                            == Status.UNKNOWN) {
                        wrong.add("second, of a name that nobody ever wrote");
                    }
                }
            }
        } finally {
            pool.close();
            reads.close();
        }
    }
}

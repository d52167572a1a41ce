package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.Version;
import org.hibernate.cfg.BatchSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Every way of writing, committed and rolled back, under a real checker. The oracle is what a plain JDBC connection reads. It
 * is asked, and the checker beside it, before and after each statement and each end of a transaction, on the writing
 * thread, so that nothing can change between the two.
 *
 * <p>Each engine has a class of its own: these take longer than any other test, and classes run side by side.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WritePathsContract {
    /** Lacks some methods, and writes less by some of the others; nobody has asked it for more. */
    private static final boolean OLD = Version.getVersionString().startsWith("6.");

    private enum Ending {
        COMMIT,
        ROLLBACK
    }

    /** The truth is asked for some thousand times, so it is prepared: each time it would be planned anew. */
    private record World(
            ProbedConnections connections,
            TestDatabase database,
            Connection oracle,
            PreparedStatement truth,
            String emptying) {}

    private final Engine engine;
    private final int batch;
    private World world;

    /**
     * @param batch how many statements Hibernate sends at once; 0 for one by one
     */
    WritePathsContract(Engine engine, int batch) {
        this.engine = engine;
        this.batch = batch;
    }

    @BeforeAll
    void open() throws SQLException {
        String url = engine.create();
        ProbedConnections connections = new ProbedConnections(url);
        TestDatabase database = TestDatabase.at(
                engine,
                url,
                Map.of(
                        "jakarta.persistence.nonJtaDataSource",
                        connections,
                        BatchSettings.STATEMENT_BATCH_SIZE,
                        String.valueOf(batch)),
                WritePaths.ENTITIES);
        Connection oracle = database.connection();
        List<String> tables = tables(oracle);
        PreparedStatement truth = oracle.prepareStatement(truth(tables));
        world = new World(connections, database, oracle, truth, emptying(engine, oracle, tables));
    }

    /** Quoted as they are spelt, which not every Hibernate does alike. */
    private static List<String> tables(Connection oracle) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = oracle.createStatement();
                ResultSet row = statement.executeQuery(
                        "select table_name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = '"
                                + oracle.getSchema() + "'")) {
            while (row.next()) {
                tables.add('"' + row.getString(1) + '"');
            }
        }
        return tables;
    }

    private static String truth(List<String> tables) {
        return WritePaths.COLUMNS.stream()
                .map(column -> "select '" + column.get(0) + "', " + column.get(2) + " from "
                        + spelt(column.get(1), tables) + " where " + column.get(2) + " is not null")
                .collect(Collectors.joining(" union all "));
    }

    private static String spelt(String table, List<String> tables) {
        String quoted = table.startsWith("\"") ? table : '"' + table + '"';
        return tables.stream().filter(quoted::equalsIgnoreCase).findFirst().orElseThrow();
    }

    /**
     * Empties every table. Truncating them would take longer than the tests, for PostgreSQL makes new files for each.
     */
    private static String emptying(Engine engine, Connection oracle, List<String> tables) throws SQLException {
        String all = tables.stream().map(table -> "delete from " + table).collect(Collectors.joining("; "));
        if (engine == Engine.H2) {
            return "set referential_integrity false; " + all + "; set referential_integrity true";
        }
        try (Statement statement = oracle.createStatement()) {
            statement.execute("set session_replication_role = replica"); // foreign keys are not looked at
        }
        return all;
    }

    private static void empty(World world) {
        try (Statement statement = world.oracle().createStatement()) {
            statement.execute(world.emptying());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    void close() throws SQLException {
        world.oracle().close();
        world.connections().close();
        world.database().close();
    }

    static Stream<Arguments> cases() {
        return WritePaths.all().stream()
                .filter(path -> path.toString().contains(System.getProperty("test.writePath", "")))
                .flatMap(path -> Stream.of(Ending.values())
                        .filter(ending -> !path.isAutocommit() || ending == Ending.COMMIT)
                        .map(ending -> Arguments.of(path, ending)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("cases")
    void nothingCommittedIsEverAvailable(WritePath path, Ending ending) {
        assumeFalse(
                path.toString().equals(WritePaths.UPSERTS_AFTER_UPDATES)
                        && Version.getVersionString().matches("7\\.[01]\\..*"),
                "Hibernate 7.0 and 7.1 bind a batch of upserts beside one of updates wrongly");
        try {
            run(path, ending);
        } catch (TestAbortedException e) {
            throw e;
        } catch (NoSuchMethodError e) {
            assertThat(OLD).as(e.getMessage()).isTrue();
            abort("Hibernate 6 has no " + e.getMessage());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(path + ", " + ending, e); // reports name no parameters
        }
    }

    private void run(WritePath path, Ending ending) {
        empty(world);
        path.before().forEach(world.database()::inTransaction);
        Set<IdentifierKind> kinds = kinds(path, truth(world));
        List<String> distrust = new CopyOnWriteArrayList<>();
        try (AvailabilityChecker checker = checker(world, kinds, distrust)) {
            new Run(world, path, ending, checker).go();
        }
        if (path.isUnseen()) {
            assertThat(distrust).as("its text shows the name after all").isNotEmpty();
        } else {
            assertThat(distrust).as("memory is trusted all along").isEmpty();
        }
    }

    private static Set<IdentifierKind> kinds(WritePath path, List<String> there) {
        return Stream.of(path.adds(), path.removes(), path.leftovers(), there)
                .flatMap(List::stream)
                .map(WritePathsContract::kind)
                .collect(Collectors.toSet());
    }

    private static AvailabilityChecker checker(World world, Set<IdentifierKind> kinds, List<String> distrust) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .source(only(kinds, JpaIdentifiers.of(world.database().factory())))
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        if (state == KindState.DEGRADED) {
                            distrust.add(kind + ": " + reason);
                        }
                    }
                });
        kinds.forEach(kind -> builder.normalizer(kind, new Folding()).variants(kind, false));
        AvailabilityChecker checker = builder.build();
        Eventually.holds(
                "every kind is ready", () -> kinds.stream().allMatch(kind -> checker.state(kind) == KindState.READY));
        return checker;
    }

    /**
     * The other kinds have no rows in this run, and leaving them out spares their scans. How columns compare is tested
     * elsewhere.
     */
    private static IdentifierSource only(Set<IdentifierKind> kinds, IdentifierSource source) {
        IdentifierSource lean = ReadyCheckers.withStores(source, ReadyCheckers::withoutComparison);
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new HashMap<>(lean.stores());
        stores.keySet().retainAll(kinds);
        return lean.withStores(stores);
    }

    /** What is committed now: kind, blank, value as stored; one for each row. */
    private static List<String> truth(World world) {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = world.truth().executeQuery()) {
            while (result.next()) {
                rows.add(result.getString(1) + " " + result.getString(2));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return rows;
    }

    private static IdentifierKind kind(String identifier) {
        return new IdentifierKind(identifier.substring(0, identifier.indexOf(' ')));
    }

    private static String value(String identifier) {
        return identifier.substring(identifier.indexOf(' ') + 1);
    }

    private static Set<String> keys(List<String> identifiers) {
        return identifiers.stream().map(each -> each.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    private static Map<IdentifierKind, Long> counts(Set<IdentifierKind> kinds, List<String> identifiers) {
        Map<IdentifierKind, Long> counts = new HashMap<>();
        kinds.forEach(kind -> counts.put(kind, 0L));
        identifiers.forEach(each -> counts.merge(kind(each), 1L, Long::sum));
        return counts;
    }

    /** One write path under one checker. */
    private static final class Run implements ProbedConnections.Probe {
        private final World world;
        private final WritePath path;
        private final Ending ending;
        private final AvailabilityChecker checker;
        private final List<String> before;
        private final Set<String> universe;
        private final List<String> wrong = new ArrayList<>();
        private int probes;
        private boolean ends;

        Run(World world, WritePath path, Ending ending, AvailabilityChecker checker) {
            this.world = world;
            this.path = path;
            this.ending = ending;
            this.checker = checker;
            this.before = truth(world);
            this.universe = new TreeSet<>(before);
            universe.addAll(path.adds());
            universe.addAll(path.leftovers());
        }

        void go() {
            checkAgainst(before);
            assertThat(entries()).isEqualTo(distinct(before));

            world.connections().probing(this, this::write);

            assertThat(wrong).as("committed, and called available").isEmpty();
            assertThat(probes).as("looks taken").isPositive();
            List<String> after = truth(world);
            if (OLD) {
                assumeThat(after).as("what Hibernate 6 does here").containsExactlyInAnyOrderElementsOf(expected());
            }
            assertThat(after).as("what the write path itself did").containsExactlyInAnyOrderElementsOf(expected());
            checkAgainst(after);
            noneIsOpen();
            if (ending == Ending.COMMIT) {
                checker.kinds().forEach(checker::rescan);
                Map<IdentifierKind, Long> rows = distinct(after);
                Eventually.holds(
                        "a rescan leaves what has a row", () -> entries().equals(rows));
                checkAgainst(after);
            }
        }

        @SafeVarargs
        private Map<IdentifierKind, Long> distinct(List<String>... identifiers) {
            Set<String> all = new TreeSet<>();
            for (List<String> each : identifiers) {
                all.addAll(keys(each));
            }
            return counts(checker.kinds(), List.copyOf(all));
        }

        private void write() {
            if (path.managed() != null) {
                try (Session session = world.database().sessions().openSession()) {
                    Transaction transaction = session.beginTransaction();
                    path.managed().accept(session);
                    end(session, transaction);
                }
                return;
            }
            try (StatelessSession session = world.database().sessions().openStatelessSession()) {
                if (path.isAutocommit()) {
                    path.stateless().accept(session);
                } else {
                    Transaction transaction = session.beginTransaction();
                    path.stateless().accept(session);
                    end(null, transaction);
                }
            }
        }

        private void end(EntityManager entities, EntityTransaction transaction) {
            if (entities != null) {
                entities.flush();
            }
            ends = true;
            if (ending == Ending.COMMIT) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
        }

        @Override
        public void before(String call) {
            look("before " + call);
            if (ends && call.equals("commit")) {
                ends = false;
                for (String each : path.adds()) {
                    if (checker.checkInMemory(kind(each), value(each)).available()) {
                        wrong.add(each + ", about to be committed");
                    }
                }
            }
        }

        @Override
        public void after(String call) {
            look("after " + call);
        }

        private void look(String when) {
            probes++;
            for (String each : truth(world)) {
                Verdict verdict = check(each);
                if (verdict.status() != Status.TAKEN) {
                    wrong.add(each + " " + verdict + " " + when);
                }
            }
        }

        private Verdict check(String identifier) {
            return checker.check(kind(identifier), value(identifier));
        }

        private List<String> expected() {
            List<String> expected = new ArrayList<>(before);
            if (ending == Ending.COMMIT) {
                path.removes().forEach(expected::remove);
                expected.addAll(path.adds());
            }
            return expected;
        }

        private void checkAgainst(List<String> committed) {
            Map<String, Status> verdicts = new TreeMap<>();
            Map<String, Status> truth = new TreeMap<>();
            for (String each : universe) {
                verdicts.put(each, check(each).status());
                boolean taken = committed.contains(each) || committed.contains(each.toLowerCase(Locale.ROOT));
                truth.put(each, taken ? Status.TAKEN : Status.AVAILABLE);
            }
            assertThat(verdicts).isEqualTo(truth);
        }

        private void noneIsOpen() {
            for (IdentifierKind kind : checker.kinds()) {
                if (path.isUnseen()) {
                    Eventually.holds("scanned after what was unseen", () -> checker.state(kind) == KindState.READY);
                }
                KindStats stats = checker.stats(kind);
                assertThat(stats.underWay().open()).as("open").isZero();
                assertThat(stats.underWay().lingering()).as("lingering").isZero();
                assertThat(stats.missesProved()).as("misses").isZero();
                assertThat(stats.state()).isEqualTo(KindState.READY);
            }
        }

        private Map<IdentifierKind, Long> entries() {
            Map<IdentifierKind, Long> entries = new HashMap<>();
            checker.kinds()
                    .forEach(kind ->
                            entries.put(kind, checker.stats(kind).memory().entries()));
            return entries;
        }
    }
}

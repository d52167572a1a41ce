package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Applicant;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes that no entity event tells of, under a real checker: from before the SQL until a scan that began after the
 * commit, the store answers; then memory does, and knows every name.
 */
class UnseenWritesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    /** How much faster the checkers' time passes. */
    private static final int HASTE = 60;

    /** Rows of each write; {@code -Dunseen.rows=1000} for more. */
    private static final int ROWS = Integer.getInteger("unseen.rows", 200);

    /** How many of them are asked for one by one. */
    private static final int LOOKS = 20;

    private static final Map<Engine, Fixture> FIXTURES = new EnumMap<>(Engine.class);

    @AfterAll
    static void close() {
        FIXTURES.values().forEach(Fixture::close);
        FIXTURES.clear();
    }

    static Stream<Arguments> paths() {
        return Arrays.stream(UnseenPath.values())
                .flatMap(path -> path.engines().stream().map(engine -> Arguments.of(path, engine)));
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("paths")
    void committedNamesAreNeverAvailable(UnseenPath path, Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(path);
        long to = from + ROWS - 1;
        fixture.checker.awaitReady();
        fixture.checker.clearRecord();
        try (Session session = fixture.database.sessions().openSession()) {
            Transaction transaction = session.beginTransaction();
            path.write(session, from, to);
            fixture.assertThatMemoryIsNotAsked(from);
            transaction.commit();
        }
        fixture.assertThatAreTaken(from, from + LOOKS);
        fixture.checker.awaitReady();
        fixture.assertThatMemoryKnows(from, to);
        assertThat(fixture.checker.states().contains(KindState.DEGRADED)).isEqualTo(!path.isTold());
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("paths")
    void whatIsRolledBackIsFreeAfterTheScan(UnseenPath path, Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(path);
        fixture.checker.awaitReady();
        fixture.checker.clearRecord();
        try (StatelessSession session = fixture.database.sessions().openStatelessSession()) {
            Transaction transaction = session.beginTransaction();
            path.write(session, from, from + ROWS - 1);
            fixture.assertThatMemoryIsNotAsked(from);
            transaction.rollback();
        }
        fixture.checker.awaitReady();
        assertThat(fixture.checker.states().contains(KindState.DEGRADED)).isEqualTo(!path.isTold());
        for (long number = from; number < from + LOOKS; number++) {
            assertThat(fixture.checker.check(number).status()).isEqualTo(Status.AVAILABLE);
        }
    }

    /** The barrier would hide the mistake: on these databases it waits for the open transaction, on others it does not. */
    @Tag("ci")
    @Test
    void noScanBeginsWhileTheWriterIsOpen() {
        for (Engine engine : Engine.values()) {
            scanWhileTheWriterIsOpen(engine);
        }
    }

    private static void scanWhileTheWriterIsOpen(Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(UnseenPath.HQL_INSERT_SELECT);
        fixture.disconnect();
        try (Checker checker = new Checker(withoutBarrier(fixture))) {
            checker.awaitReady();
            try (Session session = fixture.database.sessions().openSession()) {
                Transaction transaction = session.beginTransaction();
                UnseenPath.HQL_INSERT_SELECT.write(session, from, from + ROWS - 1);
                int before = checker.scans.get();
                checker.checker.rescan(USERNAME);
                transaction.commit();
                assertThat(checker.scans).hasValue(before);
            }
            for (long number = from; number < from + ROWS; number++) {
                assertThat(checker.check(number).status()).isEqualTo(Status.TAKEN);
            }
            assertThat(checker.checker.state(USERNAME))
                    .as("nothing shows that it has ended")
                    .isEqualTo(KindState.DEGRADED);
        } finally {
            fixture.connect();
        }
    }

    @Tag("ci")
    @Test
    void aBulkWriterOpenAtTheConnectIsKnown() {
        for (Engine engine : Engine.values()) {
            connectWhileAWriterIsOpen(engine);
        }
    }

    private static void connectWhileAWriterIsOpen(Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(UnseenPath.HQL_INSERT_SELECT);
        fixture.disconnect();
        try (Session session = fixture.database.sessions().openSession()) {
            Transaction transaction = session.beginTransaction();
            UnseenPath.HQL_INSERT_SELECT.write(session, from, from + ROWS - 1);
            try (Checker checker = new Checker(withoutBarrier(fixture))) {
                transaction.commit();
                assertThat(checker.check(from).status()).isEqualTo(Status.TAKEN);
                assertThat(checker.checker.state(USERNAME))
                        .as("nothing shows that it has ended")
                        .isNotEqualTo(KindState.READY);
            }
        } finally {
            fixture.connect();
        }
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aStatementUnderAutocommitIsOverWhenItHasEnded(Engine engine) {
        Fixture fixture = fixture(engine);
        UnseenPath path = engine == Engine.H2 ? UnseenPath.NATIVE_SELECT_THAT_INSERTS : UnseenPath.NATIVE_WITH_INSERT;
        long from = fixture.applicants(path);
        fixture.checker.awaitReady();
        fixture.checker.clearRecord();
        try (Session session = fixture.database.sessions().openSession()) {
            path.write(session, from, from + ROWS - 1);
            fixture.assertThatAreTaken(from, from + LOOKS);
            fixture.checker.awaitReady(); // the session is still open
        }
        assertThat(fixture.checker.states()).contains(KindState.DEGRADED);
        fixture.assertThatMemoryKnows(from, from + ROWS - 1);
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource(Engine.class)
    void announcedBulkWorkTakesOneScan(Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(UnseenPath.HQL_INSERT_SELECT);
        fixture.checker.awaitReady();
        int before = fixture.checker.scans.get();
        fixture.checker.checker.registrations().bulk(USERNAME, () -> {
            for (int i = 0; i < 10; i++) {
                long first = from + i * (ROWS / 10L);
                fixture.database
                        .sessions()
                        .inTransaction(
                                session -> UnseenPath.HQL_INSERT_SELECT.write(session, first, first + ROWS / 10 - 1));
            }
        });
        fixture.assertThatAreTaken(from, from + LOOKS);
        fixture.checker.awaitReady();
        fixture.assertThatMemoryKnows(from, from + ROWS - 1);
        assertThat(fixture.checker.scans.get() - before).isEqualTo(1);
    }

    @Tag("ci")
    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatCannotWriteANameCostsNothing(Engine engine) {
        Fixture fixture = fixture(engine);
        long from = fixture.applicants(UnseenPath.HQL_INSERT_SELECT);
        fixture.checker.awaitReady();
        fixture.database.inTransaction(entities -> entities.persist(Account.named(UnseenPath.name(from))));
        fixture.checker.clearRecord();
        fixture.database.sessions().inTransaction(session -> {
            session.createMutationQuery("update Account set city = 'Berlin' where username = :name")
                    .setParameter("name", UnseenPath.name(from))
                    .executeUpdate();
            session.createNativeMutationQuery("update Account set city = 'username = 1, insert into Account'")
                    .executeUpdate();
            session.createMutationQuery("delete from Applicant where id = -1").executeUpdate();
            session.createMutationQuery(
                            "insert into Applicant (id, name) select -2, a.username from Account a where a.id = -5")
                    .executeUpdate();
            session.createNativeQuery(
                            "select 'insert into account', id from Account for update /* update */", Object.class)
                    .getResultList();
            session.createSelectionQuery("from Account", Account.class).getResultList();
        });
        assertThat(fixture.checker.states()).doesNotContain(KindState.DEGRADED);
    }

    private static Fixture fixture(Engine engine) {
        return FIXTURES.computeIfAbsent(engine, Fixture::new);
    }

    /** A database that the tests share, each with applicants of its own. */
    private static final class Fixture {
        private final TestDatabase database;
        private Checker checker;
        private long nextApplicant = 1_000_000;

        Fixture(Engine engine) {
            database = TestDatabase.on(
                    engine,
                    Map.of(),
                    Account.class,
                    IdentityAccount.class,
                    Party.class,
                    Company.class,
                    Applicant.class);
            createProcedure(engine);
            connect();
        }

        private void createProcedure(Engine engine) {
            if (engine == Engine.H2) {
                database.sql("create alias take_names for \"" + H2Procedures.class.getName() + ".takeNames\"");
            } else {
                database.sql(
                        "create procedure take_names(low bigint, high bigint) language sql as $$ insert into Account"
                                + " (id, username) select id, name from Applicant where id between low and high $$");
            }
        }

        void connect() {
            checker = new Checker(JpaIdentifiers.of(database.factory()));
        }

        void disconnect() {
            checker.close();
        }

        /** Makes so many new ones, and returns the number of the first. */
        long applicants(UnseenPath path) {
            long from = nextApplicant;
            nextApplicant += ROWS;
            database.inTransaction(entities -> {
                for (long id = from; id < from + ROWS; id++) {
                    entities.persist(new Applicant(id, UnseenPath.name(id)));
                }
                entities.flush();
                path.prepare(entities, from, from + ROWS - 1);
            });
            return from;
        }

        /** Nothing is committed yet: the database may say so, memory may not. */
        void assertThatMemoryIsNotAsked(long from) {
            for (long number = from; number < from + LOOKS; number++) {
                Verdict verdict = checker.check(number);
                assertThat(verdict.decidedBy()).as("%s", verdict).isEqualTo(DecidedBy.STORE);
            }
        }

        void assertThatAreTaken(long from, long to) {
            for (long number = from; number < to; number++) {
                assertThat(checker.check(number).status()).isEqualTo(Status.TAKEN);
            }
        }

        void assertThatMemoryKnows(long from, long to) {
            int known = 0;
            for (long number = from; number <= to; number++) {
                Verdict verdict = checker.checker.checkInMemory(USERNAME, UnseenPath.name(number));
                known += verdict.available() ? 0 : 1;
            }
            assertThat(known).isEqualTo(ROWS);
            assertThatAreTaken(from, from + LOOKS);
            assertThat(checker.checker.stats(USERNAME).missesProved()).isZero();
        }

        void close() {
            checker.close();
            database.close();
        }
    }

    private static final class Checker implements AutoCloseable {
        final AtomicInteger scans = new AtomicInteger();
        final AvailabilityChecker checker;
        private final List<KindState> states = Collections.synchronizedList(new ArrayList<>());
        private KindState told = KindState.WARMING; // guarded by this
        private volatile boolean counted; // written under this; whether the scan that made it READY is among the scans

        Checker(IdentifierSource source) {
            checker = AvailabilityChecker.builder()
                    .source(source)
                    .normalizer(IdentifierKind.PHONE, new Literal())
                    .normalizer(IdentifierKind.of("tax-number"), new Literal())
                    .recheckTimeout(Duration.ofMinutes(1))
                    // Dozens of scans come one after the other, and they are given one a minute; but also a pause as
                    // long as a scan.
                    .ticker(() -> HASTE * System.nanoTime())
                    .rescanInterval(Duration.ofDays(365))
                    .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                    .listener(new CheckListener() {
                        @Override
                        public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                            if (kind.equals(USERNAME)) {
                                told(() -> {
                                    states.add(state);
                                    told = state;
                                    counted = false;
                                });
                            }
                        }

                        @Override
                        public void rebuilt(IdentifierKind kind, long rows, long nanos) {
                            if (kind.equals(USERNAME)) {
                                told(() -> {
                                    scans.incrementAndGet();
                                    counted = told == KindState.READY;
                                });
                            }
                        }
                    })
                    .build();
        }

        void awaitReady() {
            Eventually.holds("ready", () -> counted && checker.state(USERNAME) == KindState.READY);
        }

        private synchronized void told(Runnable note) {
            note.run();
        }

        void clearRecord() {
            states.clear();
        }

        List<KindState> states() {
            return List.copyOf(states);
        }

        Verdict check(long number) {
            return checker.check(USERNAME, UnseenPath.name(number));
        }

        @Override
        public void close() {
            checker.close();
        }
    }

    /** The same, on a database that cannot tell which transactions are open. */
    private static IdentifierSource withoutBarrier(Fixture fixture) {
        return ReadyCheckers.withStores(JpaIdentifiers.of(fixture.database.factory()), Plain::new);
    }

    private record Plain(RegisteredIdentifierStore store) implements RegisteredIdentifierStore {
        @Override
        public Presence exists(String key, Duration timeout) {
            return store.exists(key, timeout);
        }

        @Override
        public void scan(Consumer<String> values) {
            store.scan(values);
        }
    }
}

package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.Seed;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.hibernate.cfg.BatchSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real checker over a real Hibernate and a real H2. */
class EndToEndTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final TestDatabase database =
            TestDatabase.with(Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "5"), Account.class, IdentityAccount.class);
    private AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        database.close();
    }

    private void start() {
        checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(IdentifierKind.PHONE, new Literal())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .build();
    }

    private void startReady() {
        start();
        awaitReady();
    }

    private void awaitReady() {
        Eventually.holds(
                "all registries are ready",
                () -> checker.kinds().stream().allMatch(kind -> checker.state(kind) == KindState.READY));
    }

    private Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    private void signUp(String name) {
        database.inTransaction(entities -> entities.persist(Account.named(name)));
    }

    private static Account find(EntityManager entities, String name) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    @Test
    void aSignUpIsTakenFromItsCommitOnThoughItWasAskedForBefore() {
        startReady();
        assertThat(status("alice.w")).isEqualTo(Status.AVAILABLE);
        database.inTransaction(entities -> {
            entities.persist(Account.named("alice.w"));
            entities.flush();
            Verdict verdict = checker.check(USERNAME, "alice.w");
            assertThat(verdict.status()).isEqualTo(Status.AVAILABLE);
            assertThat(verdict.decidedBy()).isEqualTo(DecidedBy.STORE);
        });
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        assertThat(status("ALICE.W")).isEqualTo(Status.TAKEN);
        assertThat(checker.stats(USERNAME).underWay().open()).isZero();
    }

    @Test
    void rowsFromBeforeTheStartAreTaken() {
        signUp("alice.w");
        database.inTransaction(entities -> entities.persist(new IdentityAccount("second.table")));
        startReady();
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        assertThat(status("second.table")).isEqualTo(Status.TAKEN);
        Verdict free = checker.check(USERNAME, "nobody.here");
        assertThat(free.status()).isEqualTo(Status.AVAILABLE);
        assertThat(free.decidedBy()).isEqualTo(DecidedBy.FILTER);
    }

    @Test
    void everyKindOfAnEntityIsKept() {
        startReady();
        database.inTransaction(entities -> entities.persist(new Account("alice.w", "+4930123")));
        assertThat(checker.check(IdentifierKind.PHONE, "+4930123").status()).isEqualTo(Status.TAKEN);
        assertThat(checker.check(IdentifierKind.PHONE, "+4930124").status()).isEqualTo(Status.AVAILABLE);
        assertThat(checker.kinds()).containsExactlyInAnyOrder(USERNAME, IdentifierKind.PHONE);
    }

    @Test
    void aDisplayFormStoredBeforeTheStartIsTakenAndItsKeyIsAVariant() {
        database.sql("insert into Account (id, username) values (1000, 'Alice.W')");
        start();
        assertThat(status("Alice.W")).isEqualTo(Status.TAKEN);
        awaitReady();
        assertThat(status("Alice.W")).isEqualTo(Status.TAKEN);
        assertThat(checker.check(USERNAME, "alice.w").reason()).contains("variant");
    }

    @Test
    void aDisplayFormWrittenLaterIsTaken() {
        startReady();
        signUp("Alice.W");
        assertThat(status("Alice.W")).isEqualTo(Status.TAKEN);
    }

    @Test
    void aTransactionOpenAtTheStartIsKnown() {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named("alice.w"));
            entities.flush();
            start();
            entities.getTransaction().commit();
        }
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
        awaitReady();
        assertThat(status("alice.w")).isEqualTo(Status.TAKEN);
    }

    @Test
    void neverCallsACommittedNameAvailable() throws Exception {
        long seed = Seed.of(EndToEndTest.class, 20261122);
        int writers = 3;
        int namesOfEach = 12;
        int rounds = 150;
        // Each name belongs to one writer, so the oracle is exact: its stamp while the name is certainly committed,
        // else 0.
        AtomicLongArray certainlyTaken = new AtomicLongArray(writers * namesOfEach);
        AtomicLong stamps = new AtomicLong();
        AtomicLong checks = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        start();
        ExecutorService executor = Executors.newFixedThreadPool(writers + 2);
        List<Future<?>> working = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int first = w * namesOfEach;
            Random random = new Random(seed + w);
            working.add(executor.submit(() -> write(random, rounds, first, namesOfEach, certainlyTaken, stamps)));
        }
        List<Future<?>> checking = new ArrayList<>();
        for (int c = 0; c < 2; c++) {
            Random random = new Random(seed - 1 - c);
            checking.add(executor.submit(() -> {
                while (!done.get()) {
                    int name = random.nextInt(certainlyTaken.length());
                    long before = certainlyTaken.get(name);
                    Verdict verdict = checker.check(USERNAME, "member" + name);
                    checks.incrementAndGet();
                    if (verdict.available() && before != 0 && certainlyTaken.get(name) == before) {
                        wrong.add(name + " " + verdict);
                    }
                }
            }));
        }
        for (Future<?> writer : working) {
            writer.get(120, TimeUnit.SECONDS);
        }
        done.set(true);
        for (Future<?> each : checking) {
            each.get(60, TimeUnit.SECONDS);
        }
        executor.shutdown();
        System.out.println(checks.get() + " checks");
        assertThat(wrong).isEmpty();
        assertThat(checks.get()).isPositive();
        awaitReady();
        for (int name = 0; name < certainlyTaken.length(); name++) {
            Status expected = certainlyTaken.get(name) != 0 ? Status.TAKEN : Status.AVAILABLE;
            assertThat(status("member" + name))
                    .as("member%s, seed %s", name, seed)
                    .isEqualTo(expected);
        }
    }

    private void write(
            Random random, int rounds, int first, int count, AtomicLongArray certainlyTaken, AtomicLong stamps) {
        for (int i = 0; i < rounds; i++) {
            int name = first + random.nextInt(count);
            int other = first + random.nextInt(count);
            boolean commits = random.nextInt(4) != 0;
            if (certainlyTaken.get(name) == 0) {
                change(commits, entities -> entities.persist(Account.named("member" + name)));
                if (commits) {
                    certainlyTaken.set(name, stamps.incrementAndGet());
                }
            } else if (certainlyTaken.get(other) == 0 && random.nextBoolean()) {
                long stamp = certainlyTaken.getAndSet(name, 0);
                change(commits, entities -> find(entities, "member" + name).username = "member" + other);
                certainlyTaken.set(commits ? other : name, commits ? stamps.incrementAndGet() : stamp);
            } else {
                long stamp = certainlyTaken.getAndSet(name, 0);
                change(commits, entities -> entities.remove(find(entities, "member" + name)));
                if (!commits) {
                    certainlyTaken.set(name, stamp);
                }
            }
        }
    }

    private void change(boolean commits, Consumer<EntityManager> work) {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            work.accept(entities);
            entities.flush();
            if (commits) {
                entities.getTransaction().commit();
            } else {
                entities.getTransaction().rollback();
            }
        }
    }
}

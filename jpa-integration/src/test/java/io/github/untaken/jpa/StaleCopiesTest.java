package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.jpa.entities.Versioned;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An entity was read before another transaction renamed its row, and is written afterwards: the update writes every
 * column, so the old name is back although this session never changed it.
 */
@Tag("ci")
class StaleCopiesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private TestDatabase database;
    private AvailabilityChecker checker;

    private void open(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Account.class, Versioned.class);
        database.inTransaction(entities -> entities.persist(new Account("alice", "+1")));
        checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .normalizer(USERNAME, new Folding())
                .normalizer(IdentifierKind.PHONE, new Folding())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .build();
        Eventually.holds("ready", () -> checker.kinds().stream().allMatch(k -> checker.state(k) == KindState.READY));
    }

    @AfterEach
    void close() {
        checker.close();
        database.close();
    }

    private Verdict check(String name) {
        return checker.check(USERNAME, name);
    }

    private static Account find(EntityManager entities, String username) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", username)
                .getSingleResult();
    }

    /** Reads alice, lets the others work, and then changes her city. */
    private void writeBack(Consumer<EntityManager> others) {
        database.inTransaction(entities -> {
            Account stale = find(entities, "alice");
            others.accept(entities);
            stale.city = "Berlin";
        });
    }

    private long entries() {
        return checker.stats(USERNAME).memory().entries();
    }

    private void renameToBob(EntityManager entities) {
        database.inTransaction(other -> find(other, "alice").username = "bob");
        assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameThatIsWrittenBackIsTaken(Engine engine) {
        open(engine);
        writeBack(entities -> {
            renameToBob(entities);
            Eventually.holds("memory says so", () -> check("alice").decidedBy() == DecidedBy.WHITELIST);
        });
        assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
        assertThat(check("bob").status()).isEqualTo(Status.AVAILABLE);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameThatIsWrittenBackIsNoLongerWhitelisted(Engine engine) {
        open(engine);
        writeBack(entities -> {
            database.sql(
                    "update Account set username = 'bob'"); // nobody tells: the entry stays, and the whitelist answers
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
        });
        assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameThatIsWrittenBackAfterARescanIsTaken(Engine engine) {
        open(engine);
        writeBack(entities -> {
            renameToBob(entities);
            Eventually.holds("memory says so", () -> check("alice").decidedBy() == DecidedBy.WHITELIST);
            ReadyCheckers.rescan(checker, USERNAME);
        });
        assertThat(check("alice").status()).isEqualTo(Status.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aWriteBackThatIsRolledBackLeavesTheNameFree(Engine engine) {
        open(engine);
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            Account stale = find(entities, "alice");
            renameToBob(entities);
            Eventually.holds("memory says so", () -> check("alice").decidedBy() == DecidedBy.WHITELIST);
            stale.city = "Berlin";
            entities.flush();
            assertThat(check("alice").decidedBy()).isEqualTo(DecidedBy.STORE);
            entities.getTransaction().rollback();
        }
        assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
        assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void anOrdinaryChangeOfAnotherAttributeAddsNoEntry(Engine engine) {
        open(engine);
        for (int i = 0; i < 20; i++) {
            String city = "city " + i;
            database.inTransaction(entities -> find(entities, "alice").city = city);
        }
        assertThat(entries()).isEqualTo(1);
        assertThat(checker.stats(USERNAME).underWay().open()).isZero();
        database.inTransaction(entities -> entities.remove(find(entities, "alice")));
        assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
    }

    /**
     * The first flush announces the old name again, since the update sends it along; the addition wins over the
     * removal.
     */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aRenameAfterAnotherChangeInOneTransactionFreesTheOldName(Engine engine) {
        open(engine);
        database.inTransaction(entities -> {
            Account account = find(entities, "alice");
            account.city = "Berlin";
            entities.flush();
            account.username = "bob";
        });
        assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
        assertThat(check("bob").status()).isEqualTo(Status.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameThatSeveralStaleCopiesRenameIsFree(Engine engine) {
        open(engine);
        writeBackNamed("carl", this::renameToBob);
        assertThat(check("carl").status()).isEqualTo(Status.TAKEN);
        assertThat(check("alice").status()).isEqualTo(Status.AVAILABLE);
        assertThat(check("bob").status()).isEqualTo(Status.AVAILABLE);
        assertThat(entries()).as("nothing is taken out").isEqualTo(3);
    }

    private void writeBackNamed(String name, Consumer<EntityManager> others) {
        database.inTransaction(entities -> {
            Account stale = find(entities, "alice");
            others.accept(entities);
            stale.username = name;
        });
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aVersionKeepsAStaleCopyFromBeingWritten(Engine engine) {
        open(engine);
        database.inTransaction(entities -> entities.persist(new Versioned("vera")));
        assertThatThrownBy(() -> database.inTransaction(entities -> {
                    Versioned stale = entities.createQuery("from Versioned", Versioned.class)
                            .getSingleResult();
                    database.inTransaction(other ->
                            other.createQuery("from Versioned", Versioned.class).getSingleResult().username = "wanda");
                    stale.city = "Berlin";
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(check("vera").status()).isEqualTo(Status.AVAILABLE);
        assertThat(check("wanda").status()).isEqualTo(Status.TAKEN);
    }

    /** Bulk work and other programs rename a row without a new version. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void aNameThatIsWrittenBackUnderTheSameVersionIsTaken(Engine engine) {
        open(engine);
        database.inTransaction(entities -> entities.persist(new Versioned("vera")));
        database.inTransaction(entities -> {
            Versioned stale =
                    entities.createQuery("from Versioned", Versioned.class).getSingleResult();
            database.inTransaction(other ->
                    other.createQuery("update Versioned set username = 'wanda'").executeUpdate());
            Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
            stale.city = "Berlin";
        });
        assertThat(check("vera").status()).isEqualTo(Status.TAKEN);
    }

    /** The list is written row by row: if the first element goes, the others move up, and the last row is deleted. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void anElementOfAStaleListIsTakenWhereItIsWrittenBack(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Subscriber.class);
        database.inTransaction(entities -> {
            Subscriber subscriber = new Subscriber(1);
            subscriber.aliases.addAll(List.of("a", "b", "c"));
            entities.persist(subscriber);
        });
        IdentifierKind alias = new IdentifierKind("alias");
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false); // a busy machine may not answer in time that nobody else writes
        JpaIdentifiers.of(database.factory()).stores().keySet().forEach(k -> builder.normalizer(k, new Folding()));
        checker = builder.build();
        Eventually.holds("ready", () -> checker.state(alias) == KindState.READY);
        database.inTransaction(entities -> {
            Subscriber stale = entities.find(Subscriber.class, 1L);
            assertThat(stale.aliases).hasSize(3);
            database.inTransaction(
                    other -> other.find(Subscriber.class, 1L).aliases.remove(2));
            Eventually.holds("memory says so", () -> checker.check(alias, "c").decidedBy() == DecidedBy.WHITELIST);
            stale.aliases.set(0, "d");
            stale.aliases.remove(1); // writes c into the row of b
            entities.flush();
        });
        assertThat(checker.check(alias, "c").status()).isEqualTo(Status.TAKEN);
        assertThat(checker.check(alias, "a").status()).isEqualTo(Status.AVAILABLE);
        assertThat(checker.check(alias, "b").status()).isEqualTo(Status.AVAILABLE);
        assertThat(checker.check(alias, "d").status()).isEqualTo(Status.TAKEN);
    }
}

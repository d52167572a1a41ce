package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Barrier;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive.Standing;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RegisteredIdentifierStore} must do. Extend it, supply a fresh empty store for each test and the
 * ways to change what it reads, and inherit the tests.
 */
public abstract class RegisteredIdentifierStoreContract {
    private static final long SEED = 20261121;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    protected RegisteredIdentifierStoreContract() {}

    /** The store under test; the same throughout a test, empty at its start. */
    protected abstract RegisteredIdentifierStore store();

    /** Commits a row with this identifier and returns once it is committed. */
    protected abstract void commit(String identifier);

    /** Deletes the row with this identifier and returns once that is committed. */
    protected abstract void delete(String identifier);

    /** Inserts a row with this identifier and rolls the transaction back. */
    protected abstract void rollBack(String identifier);

    /**
     * Commits a row with this identifier that does not count, such as a row marked as deleted, and returns once it is
     * committed.
     *
     * @return false, having done nothing, if the store has no such rows; this is the default
     */
    protected boolean commitUncounted(String identifier) {
        return false;
    }

    /** From now on, until the test ends, the database does not answer. */
    protected abstract void breakDatabase();

    /**
     * A store as another process would have it on the same database. Needed only if the store is {@code Exclusive},
     * unless no other process can have one. Default: empty.
     */
    protected Optional<RegisteredIdentifierStore> storeOfAnotherProcess() {
        return Optional.empty();
    }

    /** A transaction that waits for a lock before it stores a row. Every method returns only when it is done. */
    public interface Waiter extends AutoCloseable {
        /** Releases the lock; the row is then stored but not committed. */
        void goOn();

        void commit();

        @Override
        void close();
    }

    /**
     * Sends a statement that will store a row with this identifier, in a transaction of its own, while someone who
     * stores nothing holds the lock it needs. It may not be waiting yet when this returns. Used only if the store is a
     * {@code Barrier}. Default: empty.
     */
    protected Optional<Waiter> waiter(String identifier) {
        return Optional.empty();
    }

    @Test
    public void anEmptyStoreHoldsAndDeliversNothing() {
        assertThat(store().exists("alice123", TIMEOUT)).isEqualTo(Presence.ABSENT);
        assertThat(scan()).isEmpty();
    }

    @Test
    public void existsAgreesWithScan() {
        SeededKeys keys = SeededKeys.of(SEED);
        List<String> committed = keys.usernames(300);
        committed.forEach(this::commit);

        assertThat(scan()).containsExactlyInAnyOrderElementsOf(committed);
        for (String key : committed) {
            assertThat(store().exists(key, TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
        for (String key : keys.usernames(300)) {
            assertThat(store().exists(key, TIMEOUT)).isEqualTo(Presence.ABSENT);
        }
    }

    @Test
    public void aRowIsThereAsSoonAsItsCommitReturned() {
        for (String key : SeededKeys.of(SEED).usernames(20)) {
            assertThat(store().exists(key, TIMEOUT)).isEqualTo(Presence.ABSENT);
            commit(key);
            assertThat(store().exists(key, TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
    }

    @Test
    public void aDeletedRowIsGone() {
        commit("alice123");
        commit("bob12345");
        delete("alice123");

        assertThat(store().exists("alice123", TIMEOUT)).isEqualTo(Presence.ABSENT);
        assertThat(store().exists("bob12345", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(scan()).containsExactly("bob12345");
    }

    @Test
    public void aRolledBackRowWasNeverThere() {
        commit("alice123");
        rollBack("bob12345");

        assertThat(store().exists("bob12345", TIMEOUT)).isEqualTo(Presence.ABSENT);
        assertThat(scan()).containsExactly("alice123");
    }

    @Test
    public void aKeyIsComparedWholeAndLiterally() {
        commit("al_ce'12%");
        for (String other : List.of("al_ce'12", "al_ce'12%3", "alice'12%", "al_ce'123", "%", "_________", "'", "")) {
            assertThat(store().exists(other, TIMEOUT)).isEqualTo(Presence.ABSENT);
        }
        assertThat(store().exists("al_ce'12%", TIMEOUT)).isEqualTo(Presence.COUNTED);
    }

    @Test
    public void charactersBeyondAsciiComeBackIntact() {
        List<String> keys = List.of("\u5f20\u4f1f123", "\u043c\u0430\u0440\u0438\u044f77", "j\u00fcrgen12");
        keys.forEach(this::commit);

        assertThat(scan()).containsExactlyInAnyOrderElementsOf(keys);
        for (String key : keys) {
            assertThat(store().exists(key, TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
    }

    @Test
    public void anExceptionOfTheConsumerEndsTheScanAndTheNextOneWorks() {
        List<String> committed = SeededKeys.of(SEED).usernames(50);
        committed.forEach(this::commit);
        IllegalStateException enough = new IllegalStateException("enough");
        List<String> seen = new ArrayList<>();

        // More often than a pool has connections, so that one left open is noticed.
        for (int i = 0; i < 30; i++) {
            seen.clear();
            assertThatThrownBy(() -> store().scan(value -> {
                        seen.add(value);
                        if (seen.size() == 7) {
                            throw enough;
                        }
                    }))
                    .isSameAs(enough);
            assertThat(seen).hasSize(7);
        }
        assertThat(scan()).hasSize(50);
    }

    @Test
    public void aDatabaseThatDoesNotAnswerIsNoAbsence() {
        commit("alice123");
        RegisteredIdentifierStore store = store();
        breakDatabase();

        assertThatThrownBy(() -> store.exists("alice123", Duration.ofSeconds(1)))
                .isInstanceOf(StoreException.class)
                .message()
                .doesNotContain("alice123");
        assertThatThrownBy(() -> store.scan(value -> {}))
                .isInstanceOf(StoreException.class)
                .message()
                .doesNotContain("alice123");
    }

    @Test
    public void aRowThatDoesNotCountIsToldFromOneThatDoesAndFromNone() {
        assumeTrue(commitUncounted("alice123"), "each row counts");
        commit("bob12345");
        assertThat(store().exists("alice123", TIMEOUT)).isEqualTo(Presence.UNCOUNTED);
        assertThat(store().exists("bob12345", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(store().exists("carol123", TIMEOUT)).isEqualTo(Presence.ABSENT);
        assertThat(scan()).as("each row").containsExactlyInAnyOrder("alice123", "bob12345");
        if (store() instanceof Batched batched) {
            assertThat(batched.existEach(List.of("carol123", "bob12345", "alice123", "alice123"), TIMEOUT))
                    .containsExactly(Presence.ABSENT, Presence.COUNTED, Presence.UNCOUNTED, Presence.UNCOUNTED);
        }
        commit("alice123");
        assertThat(store().exists("alice123", TIMEOUT))
                .as("beside one that does not")
                .isEqualTo(Presence.COUNTED);
    }

    private Batched batched() {
        return as(Batched.class, "answers one key at a time");
    }

    /** The answers to one question for each key; empty if the store refuses the key. */
    private List<Optional<Presence>> alone(List<String> keys) {
        return keys.stream()
                .map(key -> {
                    try {
                        return Optional.of(store().exists(key, TIMEOUT));
                    } catch (StoreException e) {
                        return Optional.<Presence>empty();
                    }
                })
                .toList();
    }

    @Test
    public void manyKeysAreAnsweredInTheirOrder() {
        Batched store = batched();
        assertThat(store.existEach(List.of(), TIMEOUT)).isEmpty();
        SeededKeys keys = SeededKeys.of(SEED);
        List<String> committed = keys.usernames(40);
        List<String> others = keys.usernames(40);
        committed.forEach(this::commit);
        Random random = new Random(SEED);
        for (int size : new int[] {1, 2, 3, 7, Batched.MOST_KEYS}) {
            List<String> asked = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                asked.add((random.nextBoolean() ? committed : others).get(random.nextInt(40)));
            }
            assertThat(store.existEach(asked, TIMEOUT))
                    .as("of %s", size)
                    .isEqualTo(asked.stream()
                            .map(committed::contains)
                            .map(Presence::of)
                            .toList());
        }
        assertThat(scan()).as("nothing was written").hasSize(40);
    }

    @Test
    public void ofManyKeysEachIsComparedAsItIsAlone() {
        Batched store = batched();
        commit("Alice123");
        commit("al_ce'12%");
        List<String> asked = List.of(
                "alice123",
                "ALICE123",
                "Alice123",
                "alice123",
                "Alice123 ",
                "\uff21lice123",
                "al_ce'12",
                "al_ce'12%",
                "al\\ce'12%",
                "%",
                "'",
                "",
                "{al_ce'12%}",
                "\"Alice123\"",
                "Alice123,alice123",
                "NULL",
                "?",
                "Alice123".repeat(20));
        List<Optional<Presence>> expected = alone(asked);
        assertThat(expected).as("each has an answer").doesNotContain(Optional.empty());
        assertThat(store.existEach(asked, TIMEOUT))
                .isEqualTo(expected.stream().map(Optional::orElseThrow).toList());
    }

    @Test
    public void amongManyKeysOneThatCannotBeStoredHidesNoOther() {
        Batched store = batched();
        commit("alice123");
        for (String poison : List.of("al\u0000ice", "al\ud800ice", "\udc00", "x".repeat(100_000))) {
            List<String> asked = new ArrayList<>(SeededKeys.of(SEED).usernames(Batched.MOST_KEYS));
            asked.set(17, "alice123");
            asked.set(40, poison);
            Optional<Presence> expected = alone(List.of(poison)).get(0);
            try {
                List<Presence> answers = store.existEach(asked, TIMEOUT);
                assertThat(answers).hasSameSizeAs(asked);
                assertThat(answers.get(17)).isEqualTo(Presence.COUNTED);
                assertThat(answers.get(40)).isEqualTo(expected.orElse(Presence.ABSENT));
                assertThat(answers.stream().filter(Presence::held))
                        .hasSize(expected.orElse(Presence.ABSENT).held() ? 2 : 1);
            } catch (StoreException e) {
                assertThat(expected).as("refused alone, too").isEmpty();
            }
        }
        assertThat(store.existEach(List.of("alice123", "bob12345"), TIMEOUT))
                .containsExactly(Presence.COUNTED, Presence.ABSENT);
    }

    @Test
    public void manyKeysAreFoundAsSoonAsTheirCommitReturned() {
        Batched store = batched();
        List<String> keys = SeededKeys.of(SEED).usernames(8);
        for (int i = 0; i < 8; i++) {
            commit(keys.get(i));
            int committed = i;
            assertThat(store.existEach(keys, TIMEOUT))
                    .isEqualTo(keys.stream()
                            .map(key -> Presence.of(keys.indexOf(key) <= committed))
                            .toList());
        }
        delete(keys.get(3));
        assertThat(store.existEach(keys.subList(2, 5), TIMEOUT))
                .containsExactly(Presence.COUNTED, Presence.ABSENT, Presence.COUNTED);
    }

    @Test
    public void aDatabaseThatDoesNotAnswerIsNoAbsenceOfMany() {
        Batched store = batched();
        commit("alice123");
        breakDatabase();
        assertThatThrownBy(() -> store.existEach(List.of("bob12345", "alice123"), Duration.ofSeconds(1)))
                .isInstanceOf(StoreException.class)
                .message()
                .doesNotContain("alice123")
                .doesNotContain("bob12345");
    }

    @Test
    public void aCountIsTheNumberOfValuesWhileNothingChanges() {
        RegisteredIdentifierStore.Counted store = as(RegisteredIdentifierStore.Counted.class, "does not count");

        assertThat(store.count()).isZero();
        SeededKeys.of(SEED).usernames(50).forEach(this::commit);
        assertThat(store.count()).isEqualTo(50);
    }

    private Together together() {
        return as(Together.class, "is scanned by itself");
    }

    private List<String> scanned(Snapshot snapshot) {
        List<String> delivered = new ArrayList<>();
        snapshot.parts().forEach(part -> delivered.addAll(scan(part)));
        return delivered;
    }

    @Test
    public void thePartsOfASnapshotHoldEachRowOnce() {
        Together store = together();
        try (Snapshot snapshot = store.snapshot(List.of(store), 3)) {
            assertThat(scanned(snapshot)).isEmpty();
            snapshot.confirm();
        }
        List<String> committed = SeededKeys.of(SEED).usernames(300);
        committed.forEach(this::commit);
        for (int threads : new int[] {1, 2, 7, 64}) {
            try (Snapshot snapshot = store.snapshot(List.of(store), threads)) {
                assertThat(scanned(snapshot))
                        .as("for %s threads", threads)
                        .containsExactlyInAnyOrderElementsOf(committed);
                snapshot.confirm();
            }
        }
    }

    @Test
    public void aScanIsOneStateHoweverOftenItsRowsAreWrittenAnew() {
        List<String> committed = new ArrayList<>(SeededKeys.of(SEED).usernames(200));
        committed.forEach(this::commit);
        Random random = new Random(SEED);
        List<String> delivered = new ArrayList<>();
        store().scan(value -> {
            if (delivered.size() % 20 == 0) {
                String moved = committed.get(random.nextInt(committed.size()));
                delete(moved);
                commit(moved);
            }
            delivered.add(value);
        });
        assertThat(delivered).as("seed %s", SEED).containsExactlyInAnyOrderElementsOf(committed);
    }

    @Test
    public void thePartsOfASnapshotAreScannedByTwoThreadsAtOnce() throws InterruptedException, ExecutionException {
        Together store = together();
        List<String> committed = SeededKeys.of(SEED).usernames(300);
        committed.forEach(this::commit);
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        try (Snapshot snapshot = store.snapshot(List.of(store), 2)) {
            Queue<Partition> left = new ConcurrentLinkedQueue<>(snapshot.parts());
            Crew.together(2, thread -> {
                for (Partition next = left.poll(); next != null; next = left.poll()) {
                    next.scan(delivered::add);
                }
            });
            snapshot.confirm();
        }
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(committed);
    }

    @Test
    public void aSnapshotThatHasEndedShowsNothingAndIsNotEmpty() {
        Together store = together();
        commit("alice123");
        Snapshot snapshot = store.snapshot(List.of(store), 2);
        List<Partition> parts = snapshot.parts();
        snapshot.close();
        snapshot.close();

        for (Partition part : parts) {
            assertThatThrownBy(() -> scan(part)).isInstanceOf(StoreException.class);
        }
        assertThat(scan()).containsExactly("alice123");
    }

    @Test
    public void noSnapshotIsTakenOfADatabaseThatDoesNotAnswer() {
        Together store = together();
        commit("alice123");
        breakDatabase();
        assertThatThrownBy(() -> store.snapshot(List.of(store), 2)).isInstanceOf(StoreException.class);
    }

    private Comparing comparing() {
        return as(Comparing.class, "does not compare");
    }

    @Test
    public void pairsAreComparedInTheirOrder() {
        Comparing store = comparing();
        List<String> keys = SeededKeys.of(SEED).usernames(40);
        List<ValuePair> pairs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pairs.add(new ValuePair(keys.get(i), keys.get(i % 3 == 0 ? i : (i + 1) % 40)));
        }
        List<Boolean> expected =
                pairs.stream().map(pair -> pair.left().equals(pair.right())).toList();

        assertThat(store.heldEqual(pairs)).isEqualTo(expected);
        assertThat(store.heldEqual(List.of())).isEmpty();
        assertThat(scan()).as("nothing was written").isEmpty();
    }

    @Test
    public void whatIsHeldEqualIsFound() {
        Comparing store = comparing();
        commit("Alice123");
        for (String asked : List.of("Alice123", "alice123", "ALICE123", "alice123 ", "\uff21lice123")) {
            boolean equal =
                    store.heldEqual(List.of(new ValuePair("Alice123", asked))).get(0);
            assertThat(store.exists(asked, Duration.ofMinutes(1))).as(asked).isEqualTo(Presence.of(equal));
        }
    }

    @Test
    public void theColumnIsNamed() {
        Comparing store = comparing();
        assertThat(store.describe().column()).isNotBlank();
    }

    @Test
    public void aDatabaseThatDoesNotAnswerHoldsNothingApart() {
        Comparing store = comparing();
        breakDatabase();
        assertThatThrownBy(() -> store.heldEqual(List.of(new ValuePair("alice123", "bob12345"))))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(store::describe).isInstanceOf(StoreException.class);
    }

    private Sampled sampled() {
        return as(Sampled.class, "gives no samples");
    }

    @Test
    public void aSampleHoldsCommittedRowsOnly() {
        Sampled store = sampled();
        assertThat(store.sample(5)).isEmpty();
        List<String> committed = SeededKeys.of(SEED).usernames(100);
        committed.forEach(this::commit);
        rollBack("alice123");
        Set<String> found = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            List<String> sample = store.sample(10);
            assertThat(sample).hasSizeLessThanOrEqualTo(10).doesNotHaveDuplicates();
            found.addAll(sample);
        }
        assertThat(committed).containsAll(found);
        assertThat(found).as("of 200 taken from 100").hasSizeGreaterThan(20);
        assertThat(store.sample(1_000)).isSubsetOf(committed);
    }

    @Test
    public void aSampleThatCannotBeTakenIsNotEmpty() {
        Sampled store = sampled();
        breakDatabase();
        assertThatThrownBy(() -> store.sample(5)).isInstanceOf(StoreException.class);
    }

    private Exclusive exclusive() {
        return as(Exclusive.class, "tells of no other processes");
    }

    @Test
    public void whoIsAloneStaysAlone() {
        Exclusive store = exclusive();
        store.release();
        assertThat(store.standing()).as("nothing was marked").isEqualTo(Standing.UNKNOWN);
        for (int i = 0; i < 3; i++) {
            store.mark();
            assertThat(store.standing()).isEqualTo(Standing.ALONE);
        }
        store.release();
        store.release();
        assertThat(store.standing()).isEqualTo(Standing.UNKNOWN);
        store.mark();
        assertThat(store.standing()).isEqualTo(Standing.ALONE);
        store.release();
    }

    @Test
    public void ofTwoProcessesNeitherIsAlone() {
        Exclusive first = exclusive();
        Exclusive second = (Exclusive) storeOfAnotherProcess().orElse(null);
        assumeTrue(second != null, "no other process can have a store: override storeOfAnotherProcess if one can");
        first.mark();
        assertThat(first.standing()).isEqualTo(Standing.ALONE);
        second.mark();
        assertThat(second.standing()).isEqualTo(Standing.BESIDE_OTHERS);
        assertThat(first.standing()).isEqualTo(Standing.BESIDE_OTHERS);
        first.release();
        assertThat(second.standing()).isEqualTo(Standing.ALONE);
        second.release();
        first.mark();
        assertThat(first.standing()).isEqualTo(Standing.ALONE);
        first.release();
    }

    @Test
    public void aBarrierThatIsProvedWaitsForWhoWaitsForALock() {
        Barrier barrier = as(Barrier.class, "has no barrier");
        assumeTrue(barrier.awaitOpenTransactions(TIMEOUT), "the barrier cannot be proved");
        try (Waiter waiter = waiter("alice123").orElse(null)) {
            assumeTrue(waiter != null, "nobody can be made to wait");
            Eventually.holds("the barrier waits", () -> isHeldUp(barrier));
            waiter.goOn();
            assertThat(isHeldUp(barrier)).isTrue();
            waiter.commit();
            assertThat(barrier.awaitOpenTransactions(TIMEOUT)).isTrue();
            assertThat(scan()).contains("alice123");
        }
    }

    private static boolean isHeldUp(Barrier barrier) {
        try {
            barrier.awaitOpenTransactions(Duration.ofMillis(500));
            return false;
        } catch (StoreException e) {
            return true;
        }
    }

    private <T extends RegisteredIdentifierStore> T as(Class<T> capability, String otherwise) {
        assumeTrue(capability.isInstance(store()), "the store " + otherwise);
        return capability.cast(store());
    }

    private static List<String> scan(Partition partition) {
        List<String> values = new ArrayList<>();
        partition.scan(values::add);
        return values;
    }

    private List<String> scan() {
        List<String> values = new ArrayList<>();
        store().scan(values::add);
        return values;
    }
}

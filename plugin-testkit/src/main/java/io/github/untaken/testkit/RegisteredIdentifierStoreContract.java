package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RegisteredIdentifierStore} must do. Extend it, supply a fresh empty store for each test and the ways to
 * change what it reads, and inherit the tests.
 */
public abstract class RegisteredIdentifierStoreContract {
    private static final long SEED = 20261121;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    protected RegisteredIdentifierStoreContract() {}

    /** The store under test; the same one all through a test, empty at its beginning. */
    protected abstract RegisteredIdentifierStore store();

    /** Commits a row with this identifier and returns once it is committed. */
    protected abstract void commit(String identifier);

    /** Deletes the row with this identifier and returns once that is committed. */
    protected abstract void delete(String identifier);

    /** Inserts a row with this identifier and rolls the transaction back. */
    protected abstract void rollBack(String identifier);

    /** From now on, until the test ends, the database does not answer. */
    protected abstract void breakDatabase();

    @Test
    public void anEmptyStoreHoldsAndDeliversNothing() {
        assertThat(store().exists("alice123", TIMEOUT)).isFalse();
        assertThat(scan()).isEmpty();
    }

    @Test
    public void existsAgreesWithScan() {
        SeededKeys keys = SeededKeys.of(SEED);
        List<String> committed = keys.usernames(300);
        committed.forEach(this::commit);

        assertThat(scan()).containsExactlyInAnyOrderElementsOf(committed);
        for (String key : committed) {
            assertThat(store().exists(key, TIMEOUT)).isTrue();
        }
        for (String key : keys.usernames(300)) {
            assertThat(store().exists(key, TIMEOUT)).isFalse();
        }
    }

    @Test
    public void aRowIsThereAsSoonAsItsCommitReturned() {
        for (String key : SeededKeys.of(SEED).usernames(20)) {
            assertThat(store().exists(key, TIMEOUT)).isFalse();
            commit(key);
            assertThat(store().exists(key, TIMEOUT)).isTrue();
        }
    }

    @Test
    public void aDeletedRowIsGone() {
        commit("alice123");
        commit("bob12345");
        delete("alice123");

        assertThat(store().exists("alice123", TIMEOUT)).isFalse();
        assertThat(store().exists("bob12345", TIMEOUT)).isTrue();
        assertThat(scan()).containsExactly("bob12345");
    }

    @Test
    public void aRolledBackRowWasNeverThere() {
        commit("alice123");
        rollBack("bob12345");

        assertThat(store().exists("bob12345", TIMEOUT)).isFalse();
        assertThat(scan()).containsExactly("alice123");
    }

    @Test
    public void aKeyIsComparedWholeAndLiterally() {
        commit("al_ce'12%");
        for (String other : List.of("al_ce'12", "al_ce'12%3", "alice'12%", "al_ce'123", "%", "_________", "'", "")) {
            assertThat(store().exists(other, TIMEOUT)).isFalse();
        }
        assertThat(store().exists("al_ce'12%", TIMEOUT)).isTrue();
    }

    @Test
    public void charactersBeyondAsciiComeBackIntact() {
        List<String> keys = List.of("\u5f20\u4f1f123", "\u043c\u0430\u0440\u0438\u044f77", "j\u00fcrgen12");
        keys.forEach(this::commit);

        assertThat(scan()).containsExactlyInAnyOrderElementsOf(keys);
        for (String key : keys) {
            assertThat(store().exists(key, TIMEOUT)).isTrue();
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
    public void aCountIsTheNumberOfValuesWhileNothingChanges() {
        assumeTrue(store() instanceof RegisteredIdentifierStore.Counted, "the store does not count");
        RegisteredIdentifierStore.Counted store = (RegisteredIdentifierStore.Counted) store();

        assertThat(store.count()).isZero();
        SeededKeys.of(SEED).usernames(50).forEach(this::commit);
        assertThat(store.count()).isEqualTo(50);
    }

    private List<String> scan() {
        List<String> values = new ArrayList<>();
        store().scan(values::add);
        return values;
    }
}

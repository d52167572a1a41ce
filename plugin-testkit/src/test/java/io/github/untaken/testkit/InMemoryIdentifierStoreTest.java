package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class InMemoryIdentifierStoreTest extends RegisteredIdentifierStoreContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final InMemoryIdentifierStore store = new InMemoryIdentifierStore();

    @Override
    protected RegisteredIdentifierStore store() {
        return store;
    }

    @Override
    protected void commit(String identifier) {
        store.add(identifier);
    }

    @Override
    protected void delete(String identifier) {
        store.remove(identifier);
    }

    @Override
    protected void rollBack(String identifier) {
        // Nothing reaches the store before its commit.
    }

    @Override
    protected boolean commitUncounted(String identifier) {
        store.uncount(identifier);
        return true;
    }

    @Override
    protected void breakDatabase() {
        store.failing(true);
    }

    @Test
    void countsReadsAndScansAlsoWhenTheyFail() {
        store.exists("alice123", TIMEOUT);
        store.failing(true);
        assertThatThrownBy(() -> store.exists("alice123", TIMEOUT)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.scan(value -> {})).isInstanceOf(StoreException.class);
        assertThatThrownBy(store::count).isInstanceOf(StoreException.class);
        store.failing(false);
        store.holds("alice123");
        assertThat(store.exists("alice123", TIMEOUT)).isEqualTo(Presence.ABSENT);
        assertThat(store.reads()).isEqualTo(3);
        assertThat(store.scans()).isEqualTo(1);
    }

    @Test
    void aHeldReplyIsTheAnswerOfItsReading() throws InterruptedException, ExecutionException {
        StoreGate gate = store.holdReply("alice123");
        CompletableFuture<Presence> reply = CompletableFuture.supplyAsync(() -> store.exists("alice123", TIMEOUT));
        gate.awaitArrival();
        store.add("alice123");
        assertThat(store.exists("alice123", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(reply).isNotDone();
        gate.open();
        assertThat(reply.get()).isEqualTo(Presence.ABSENT);
    }

    @Test
    void aHeldScanDeliversItsSnapshotOnly() throws InterruptedException, ExecutionException {
        store.addAll(List.of("a", "b", "c"));
        for (int after : new int[] {0, 2, 3, 99}) {
            StoreGate gate = store.holdScanAfter(after);
            List<String> seen = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> scan = CompletableFuture.runAsync(() -> store.scan(seen::add));
            gate.awaitArrival();
            assertThat(seen).hasSize(Math.min(after, 3));
            store.add("d");
            gate.open();
            scan.get();
            assertThat(seen).containsExactly("a", "b", "c");
            store.remove("d");
        }
    }

    @Test
    void aScanCanFailInTheMiddle() {
        store.addAll(List.of("a", "b", "c"));
        List<String> seen = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> store.scan(value -> {
                    seen.add(value);
                    store.failing(true);
                }))
                .isInstanceOf(StoreException.class);
        assertThat(seen).containsExactly("a");
    }

    @Test
    void showsNoIdentifier() {
        store.add("alice123");
        assertThat(store.toString()).doesNotContain("alice");
    }
}

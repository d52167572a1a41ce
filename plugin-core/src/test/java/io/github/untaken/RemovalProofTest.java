package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.RemovableMembershipFilter;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Each part of the proof that a removal needs, in a world where all keys share one entry of the filter. A copy taken out
 * without a row of its own is then a stranger's: here that of bob, who stays registered throughout.
 */
class RemovalProofTest {
    private static final String BOB = "bob";
    private static final String ALICE = "alice";

    /** Counts copies and does not look at the hashes. */
    private static final class OneEntry implements RemovableMembershipFilter {
        private long copies;

        @Override
        public boolean mightContain(long hash) {
            return copies > 0;
        }

        @Override
        public void mightContainAll(long[] hashes, boolean[] results) {
            java.util.Arrays.fill(results, copies > 0);
        }

        @Override
        public boolean add(long hash) {
            copies++;
            return true;
        }

        @Override
        public boolean remove(long hash) {
            if (copies == 0) {
                return false;
            }
            copies--;
            return true;
        }

        @Override
        public long entries() {
            return copies;
        }

        @Override
        public long capacity() {
            return 1_000;
        }

        @Override
        public long bytes() {
            return Long.BYTES;
        }
    }

    private final Queue<Runnable> reads = new ArrayDeque<>();
    private final Queue<Runnable> betweenRows = new ArrayDeque<>();
    private final RowsStore store = new RowsStore() {
        @Override
        public void scan(Consumer<String> values) {
            List<String> snapshot = List.copyOf(rows);
            snapshot.forEach(values);
            betweenRows.forEach(Runnable::run);
        }
    };
    private final VirtualSchedule rebuilds = new VirtualSchedule(() -> 0L);
    private IdentifierRegistry registry;

    private void start(String... rows) {
        store.rows.addAll(List.of(rows));
        registry = new IdentifierRegistry(
                KIND,
                LOWER_CASE,
                new Stores(List.<RegisteredIdentifierStore>of(store)),
                new RegistrySettings(
                        planned -> new Generation(KeyHasher.random(), new OneEntry()),
                        Duration.ofSeconds(20),
                        100,
                        Duration.ofHours(1),
                        100,
                        100,
                        Duration.ofHours(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(10),
                        1,
                        Duration.ofDays(300),
                        0,
                        Duration.ofSeconds(1),
                        () -> 0L,
                        new CheckListener() {}),
                reads::add,
                rebuilds);
        registry.start();
        rebuild();
        assertThat(registry.state()).isEqualTo(RegistryState.READY);
    }

    private void rebuild() {
        registry.rescan();
        while (rebuilds.canRun()) {
            rebuilds.runNext();
        }
    }

    private void runReads() {
        Runnable read;
        while ((read = reads.poll()) != null) {
            read.run();
        }
    }

    private NetEffect removal(String name) {
        NetEffect transaction = new NetEffect(registry);
        transaction.removing(name, true);
        return transaction;
    }

    private NetEffect addition(String name) {
        NetEffect transaction = new NetEffect(registry);
        transaction.adding(name);
        return transaction;
    }

    /** From memory, or memory says that the store must be asked. */
    private void assertThatBobIsKept() {
        assertThat(registry.checkInMemory(BOB).available()).isFalse();
        assertThat(registry.stats().entries()).isPositive();
    }

    @Test
    void aProvedRemovalTakesOneCopy() {
        start(ALICE, BOB);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        transaction.committed();
        runReads();
        assertThat(registry.stats().entries()).isEqualTo(1);
        assertThatBobIsKept();
    }

    @Test
    void aRowThatIsStillThereKeepsItsCopy() {
        start(BOB);
        removal(BOB).committed();
        runReads();
        assertThatBobIsKept();
    }

    @Test
    void aRemovalToldTwiceTakesNoSecondCopy() {
        start(ALICE, BOB);
        store.rows.remove(ALICE);
        for (int i = 0; i < 2; i++) {
            removal(ALICE).committed();
            runReads();
        }
        assertThatBobIsKept();
    }

    /** Another transaction's row is committed and deleted again before its copy was added. */
    @Test
    void aKeyThatIsPendingWhenTheRemovalIsToldHasNoCopyToTakeOut() {
        start(BOB);
        NetEffect unsettled = addition(ALICE);
        NetEffect transaction = removal(ALICE);
        transaction.committed();
        runReads();
        assertThatBobIsKept();
        unsettled.committed();
    }

    /** As before, but the key becomes pending while the read is under way. */
    @Test
    void aKeyThatBecomesPendingMeanwhileHasNoCopyToTakeOut() {
        start(BOB);
        removal(ALICE).committed();
        NetEffect unsettled = addition(ALICE);
        runReads();
        assertThatBobIsKept();
        unsettled.rolledBack();
    }

    @Test
    void aDoubtfulKeyMayHaveNoCopyToTakeOut() {
        start(BOB);
        addition(ALICE).unknown();
        removal(ALICE).committed();
        runReads();
        assertThatBobIsKept();
    }

    /** The scan of the rebuild no longer saw the row, so the new generation never had its copy. */
    @Test
    void aRemovalToldBeforeASwapTakesNothingFromTheNextGeneration() {
        start(ALICE, BOB);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        rebuild();
        transaction.committed();
        runReads();
        assertThatBobIsKept();
    }

    @Test
    void aRemovalReadBeforeASwapTakesNothingFromTheNextGeneration() {
        start(ALICE, BOB);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        transaction.committed();
        rebuild();
        runReads();
        assertThatBobIsKept();
    }

    /** The scan that fills the next generation has not seen the row. */
    @Test
    void aRemovalAppliedDuringAScanTakesNothingFromTheNextGeneration() {
        start(ALICE, BOB);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        transaction.committed();
        betweenRows.add(this::runReads);
        rebuild();
        assertThatBobIsKept();
    }

    /** The uncounted key has no copy of its own, for the filter had said maybe. */
    @Test
    void aGenerationThatTookInAnUncountedKeyGivesNothingOut() {
        start(BOB);
        registry.generations().addUncounted(ALICE);
        store.rows.add(ALICE);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        transaction.committed();
        runReads();
        assertThatBobIsKept();
    }

    /** The row was written past the events: no copy was added for it. */
    @Test
    void aRowWrittenUnseenHasNoCopyToTakeOut() {
        start(BOB);
        NetEffect bulk = new NetEffect(registry);
        bulk.unseen();
        store.rows.add(ALICE);
        NetEffect transaction = removal(ALICE);
        store.rows.remove(ALICE);
        transaction.committed();
        runReads();
        assertThat(registry.stats().entries()).isPositive();
        bulk.committed();
        rebuild();
        assertThatBobIsKept();
    }

    @Test
    void anUncountedKeyIsAddedToTheGenerationBeingBuiltWhateverTheServingOneSays() { // P7
        start(BOB, ALICE);
        store.rows.clear();
        betweenRows.add(() -> {
            store.rows.add(ALICE); // the snapshot of this scan is older
            registry.generations().addUncounted(ALICE);
        });
        rebuild();
        assertThat(registry.checkInMemory(ALICE).available()).isFalse();
        assertThat(store.rows).contains(ALICE);
    }

    /** An unversioned entity read before somebody renamed its row still carries the old name when it is deleted. */
    @Test
    void aKeyTakenOutBeforeTheSwapIsNotTakenOutAgainAfterIt() {
        start(BOB, ALICE);
        NetEffect rename = addition("carol");
        rename.removing(ALICE, true);
        store.rows.remove(ALICE);
        store.rows.add("carol");
        rename.committed();
        runReads();
        assertThat(registry.stats().staleRemovals()).isZero();
        rebuild();
        store.rows.remove("carol");
        removal(ALICE).committed();
        runReads();
        assertThat(registry.stats().entries()).isEqualTo(2); // bob's copy, and carol's, of which nobody told
        assertThat(registry.stats().staleRemovals()).isEqualTo(1);
    }

    @Test
    void aKeyRegisteredAgainAfterTheSwapMayBeTakenOutAgain() {
        start(BOB, ALICE);
        store.rows.remove(ALICE);
        removal(ALICE).committed();
        runReads();
        rebuild();
        NetEffect again = addition(ALICE);
        store.rows.add(ALICE);
        again.committed();
        store.rows.remove(ALICE);
        removal(ALICE).committed();
        runReads();
        assertThat(registry.stats().entries()).isEqualTo(1);
        assertThat(registry.stats().staleRemovals()).isZero();
        assertThatBobIsKept();
    }
}

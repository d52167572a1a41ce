package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.memory.GenerationFactory;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** P26, P27, P28 under a virtual clock: what nobody tells of is found within the rescan interval, or memory does not answer. */
class RescanScheduleTest {

    private static final class TroubledStore extends RowsStore
            implements RegisteredIdentifierStore.Barrier, RegisteredIdentifierStore.Identified {
        private boolean scanFails;
        private int scans;
        private boolean transactionOpen;
        private DatabaseMark mark = new DatabaseMark("one", 100);

        @Override
        public void awaitOpenTransactions(Duration timeout) {
            if (transactionOpen) {
                throw new StoreException("a transaction of process 4711 is still open");
            }
        }

        @Override
        public void scan(Consumer<String> values) {
            scans++;
            if (scanFails) {
                throw new StoreException("told to fail");
            }
            super.scan(values);
        }

        @Override
        public DatabaseMark present() {
            return mark;
        }
    }

    private final TroubledStore store = new TroubledStore();
    private long nanos;
    private boolean clockThrows;
    private Runnable whenReady = () -> {};
    private final VirtualSchedule rebuilds = new VirtualSchedule(() -> nanos);
    private final IdentifierRegistry registry = new IdentifierRegistry(
            KIND,
            LOWER_CASE,
            new Stores(List.of(store)),
            new RegistrySettings(
                    GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, 100),
                    Duration.ofSeconds(20),
                    100,
                    Duration.ofHours(1),
                    100_000,
                    100,
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(10),
                    1,
                    0.1,
                    Duration.ofDays(300),
                    Duration.ofMinutes(1),
                    1,
                    Duration.ofSeconds(1),
                    this::now,
                    new CheckListener() {
                        @Override
                        public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                            if (state == KindState.READY) {
                                whenReady.run();
                            }
                        }
                    }),
            Runnable::run,
            rebuilds,
            null,
            false);

    private long now() {
        if (clockThrows) {
            clockThrows = false;
            throw new OutOfMemoryError("told to fail");
        }
        return nanos;
    }

    private void pass(Duration time) {
        for (long end = nanos + time.toNanos(); nanos < end; nanos += TimeUnit.MILLISECONDS.toNanos(500)) {
            while (rebuilds.canRun()) {
                rebuilds.runNext();
            }
        }
    }

    private void becomeReady() {
        registry.start();
        pass(Duration.ofSeconds(5));
        assertThat(registry.state()).isEqualTo(KindState.READY);
    }

    @Test
    void anErrorInOneKeyLeavesNoOtherPendingAndNoDoubtOpen() {
        becomeReady();
        NetEffect transaction = new NetEffect(registry);
        transaction.adding("alice");
        transaction.adding("bella");
        transaction.unseen();
        clockThrows = true;

        transaction.unknown();

        assertThat(clockThrows).isFalse();
        assertThat(registry.stats().pending()).as("the one that failed").isEqualTo(1);
        assertThat(registry.stats().doubtful()).as("the other").isEqualTo(1);
        pass(Duration.ofMinutes(11));
        assertThat(registry.state()).isEqualTo(KindState.READY);
        assertThat(registry.stats().doubtful()).isZero();
    }

    @Test
    void theLooksGoOnAfterOneThatThrows() {
        becomeReady();
        clockThrows = true;
        pass(Duration.ofSeconds(5));
        assertThat(clockThrows).isFalse();
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(11));
        assertThat(registry.check("bob").status()).isEqualTo(Status.TAKEN);
        assertThat(registry.stats().sinceLastScan().orElseThrow()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void memoryDoesNotAnswerPastTheIntervalAndAMargin() {
        becomeReady();
        store.scanFails = true;
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(14));
        assertThat(registry.state()).as("within half the interval").isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        assertThat(registry.check("bob").status()).isEqualTo(Status.TAKEN);
        store.scanFails = false;
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
    }

    /** The two threads of a kind: one tells of the swap while the other looks at the clock. */
    @Test
    void aLookAtTheClockDuringTheSwapFindsTheScanThatHasEnded() {
        becomeReady();
        store.scanFails = true;
        pass(Duration.ofMinutes(16));
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        store.scanFails = false;
        whenReady = () -> {
            whenReady = () -> {};
            nanos += Duration.ofSeconds(2).toNanos();
            rebuilds.runNext();
        };
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
    }

    @Test
    void aScanThatCouldNotBeAskedForIsAskedForAgain() {
        becomeReady();
        store.scanFails = true;
        registry.rescan();
        pass(Duration.ofMinutes(5)); // the next try is a minute away
        rebuilds.failOnce();
        assertThatThrownBy(registry::rescan).isInstanceOf(OutOfMemoryError.class);
        store.scanFails = false;
        pass(Duration.ofMinutes(15));
        assertThat(registry.stats().sinceLastScan().orElseThrow()).isLessThan(Duration.ofMinutes(10));
        assertThat(registry.state()).isEqualTo(KindState.READY);
    }

    @Test
    void aScanThatFailsIsTriedLessAndLessOftenWhateverWantsIt() {
        becomeReady();
        NetEffect effect = new NetEffect(registry);
        effect.adding("alice");
        effect.unknown();
        store.scanFails = true;
        pass(Duration.ofMinutes(11)); // now the doubt wants a scan at each look
        store.scans = 0;
        pass(Duration.ofMinutes(10));
        assertThat(store.scans).isBetween(9, 12);
    }

    @Test
    void aBarrierThatTimesOutDegradesWithItsReason() {
        becomeReady();
        store.transactionOpen = true;
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(11));
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        assertThat(registry.stats().reason()).contains("process 4711");
        assertThat(registry.check("bob").status()).isEqualTo(Status.TAKEN);
        store.transactionOpen = false;
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
    }

    @Test
    void anOlderStateOfTheDatabaseDegradesUntilItIsScanned() {
        becomeReady();
        store.mark = new RegisteredIdentifierStore.DatabaseMark("one", 99);
        store.transactionOpen = true; // so that no scan mends it before we have looked
        store.rows.add("bob"); // committed after the copy was made, and told of to another
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        assertThat(registry.check("bob").status()).isEqualTo(Status.TAKEN);
        store.transactionOpen = false;
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(5));
        assertThat(registry.state()).as("it is known now").isEqualTo(KindState.READY);
    }

    @Test
    void anotherDatabaseInItsPlaceDegradesUntilItIsScanned() {
        becomeReady();
        store.mark = new RegisteredIdentifierStore.DatabaseMark("another", 500);
        store.rows.add("bob");
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
        assertThat(registry.check("bob").status()).isEqualTo(Status.TAKEN);
        assertThat(registry.stats().epoch()).isEqualTo(3);
    }

    @Test
    void theSameDatabaseFurtherOnIsNoNews() {
        becomeReady();
        long epoch = registry.stats().epoch();
        store.mark = new RegisteredIdentifierStore.DatabaseMark("one", 200);
        pass(Duration.ofMinutes(5));
        assertThat(registry.stats().epoch()).isEqualTo(epoch);
    }
}

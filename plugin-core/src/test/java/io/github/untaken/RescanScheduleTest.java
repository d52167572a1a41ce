package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFactory;
import io.github.untaken.memory.Telling;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Under a virtual clock: what nobody tells of is found within the rescan interval, or memory does not answer. */
class RescanScheduleTest {

    private static final class TroubledStore extends RowsStore
            implements RegisteredIdentifierStore.Barrier, RegisteredIdentifierStore.Identified {
        private boolean scanFails;
        private int scans;
        private boolean transactionOpen;
        private DatabaseMark mark = new DatabaseMark("one", 100);

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            if (transactionOpen) {
                throw new StoreException("a transaction of process 4711 is still open");
            }
            return true;
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
    private boolean keyThrows;
    private Runnable whenReady = () -> {};
    private final VirtualSchedule rebuilds = new VirtualSchedule(() -> nanos);
    private final IdentifierRegistry registry = new IdentifierRegistry(
            KIND,
            new IdentifierNormalizer() {
                @Override
                public String key(String value) {
                    if (keyThrows) {
                        keyThrows = false;
                        throw new OutOfMemoryError("told to fail");
                    }
                    return value;
                }

                @Override
                public Optional<String> rejection(String text, String key) {
                    return Optional.empty();
                }
            },
            new Stores(List.of(store)),
            new RegistrySettings(
                    GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, Generation.Limits.of(100)),
                    Duration.ofSeconds(20),
                    100_000,
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(10),
                    1,
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
            false,
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

    private Status status(String name) {
        return registry.check(name, name, () -> true, null).status();
    }

    /** Whoever writes hears nothing of it, and the scan that follows its end mends it. */
    @Test
    void anErrorWhileANameIsToldMakesItUnseen() {
        becomeReady();
        Telling telling = registry.tellings().begin();
        keyThrows = true;
        registry.tellings().tell(telling, "alice");
        assertThat(keyThrows).isFalse();
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        pass(Duration.ofMinutes(5));
        assertThat(registry.state()).as("it is under way").isEqualTo(KindState.DEGRADED);
        registry.tellings().linger(telling);
        pass(Duration.ofMinutes(9));
        assertThat(registry.state()).as("the server may be at it still").isEqualTo(KindState.DEGRADED);
        pass(Duration.ofMinutes(2));
        assertThat(registry.state()).isEqualTo(KindState.READY);
        assertThat(registry.stats().lingering()).isZero();
    }

    @Test
    void theLooksGoOnAfterOneThatThrows() {
        becomeReady();
        clockThrows = true;
        pass(Duration.ofSeconds(5));
        assertThat(clockThrows).isFalse();
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(11));
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
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
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
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
        store.scanFails = true;
        pass(Duration.ofMinutes(11)); // now the interval wants a scan at each look
        store.scans = 0;
        pass(Duration.ofMinutes(10));
        assertThat(store.scans).isBetween(9, 12);
    }

    @Test
    void aBarrierThatTimesOutIsNamedOnceMemoryDoesNotAnswerAnyMore() {
        becomeReady();
        store.transactionOpen = true;
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(14));
        assertThat(registry.state()).as("it was told of everything").isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(3));
        assertThat(registry.state()).isEqualTo(KindState.DEGRADED);
        assertThat(registry.stats().reason()).contains("process 4711");
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
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
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
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
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        assertThat(store.scans).isEqualTo(2);
    }

    @Test
    void theSameDatabaseFurtherOnIsNoNews() {
        becomeReady();
        int scans = store.scans;
        store.mark = new RegisteredIdentifierStore.DatabaseMark("one", 200);
        pass(Duration.ofMinutes(5));
        assertThat(store.scans).isEqualTo(scans);
    }
}

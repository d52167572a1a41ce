package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Announcement;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.RowsStore;
import io.github.untaken.Told;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.log.CatalogLease;
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
            implements RegisteredIdentifierStore.Barrier,
                    RegisteredIdentifierStore.Identified,
                    RegisteredIdentifierStore.Counted {
        private boolean scanFails;
        private int scans;
        private boolean transactionOpen;
        private boolean countFails;
        private long counted = 3;
        private boolean barrierProves = true;
        private Runnable scanning = () -> {};
        private Runnable scanned = () -> {};
        private DatabaseMark mark = new DatabaseMark("one", 100);

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            if (transactionOpen) {
                throw new StoreException("a transaction of process 4711 is still open");
            }
            return barrierProves;
        }

        @Override
        public void scan(Consumer<String> values) {
            scans++;
            scanning.run();
            if (scanFails) {
                throw new StoreException("told to fail");
            }
            super.scan(values);
            scanned.run();
        }

        @Override
        public long count() {
            if (countFails) {
                throw new StoreException("told to fail");
            }
            return counted;
        }

        @Override
        public DatabaseMark present() {
            return mark;
        }
    }

    private final TroubledStore store = new TroubledStore();
    private long nanos;
    private long jump;
    private boolean clockThrows;
    private boolean keyThrows;
    private Runnable whenReady = () -> {};
    private final VirtualSchedule rebuilds = new VirtualSchedule(() -> nanos);
    private final RegisteredKind registered = new RegisteredKind(
            new KindTerms(
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
                    CatalogLease.Terms.UNASKED,
                    KindTerms.Policy.PLAIN,
                    new KindTerms.Workers(Runnable::run, rebuilds, Runnable::run)),
            new RegistrySettings(
                    SteppedSettings.RECHECK_TIMEOUT,
                    SteppedSettings.ANNOUNCED,
                    SteppedSettings.births(
                            GenerationFactory.of(
                                    FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, Generation.Limits.of(100)),
                            Duration.ofMinutes(10)),
                    new RegistrySettings.Audits(Duration.ofMinutes(1), 1),
                    SteppedSettings.time(this::now),
                    new CheckListener() {
                        @Override
                        public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                            if (state == KindState.READY) {
                                whenReady.run();
                            }
                        }

                        @Override
                        public void missProved(IdentifierKind kind) {
                            throw new IllegalStateException("told to fail");
                        }
                    }),
            null);

    private long now() {
        if (clockThrows) {
            clockThrows = false;
            throw new OutOfMemoryError("told to fail");
        }
        return nanos + jump;
    }

    private void pass(Duration time) {
        for (long end = nanos + time.toNanos(); nanos < end; nanos += TimeUnit.MILLISECONDS.toNanos(500)) {
            while (rebuilds.canRun()) {
                rebuilds.runNext();
            }
        }
    }

    private void becomeReady() {
        registered.start();
        pass(Duration.ofSeconds(5));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    private Status status(String name) {
        return registered.registry().check(name, name, false, () -> true, null).status();
    }

    /** Whoever writes hears nothing of it, and the scan that follows its end mends it. */
    @Test
    void anErrorWhileANameIsToldMakesItUnseen() {
        becomeReady();
        Telling telling = new Telling();
        keyThrows = true;
        registered.tellings().tell(telling, "alice");
        assertThat(keyThrows).isFalse();
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        pass(Duration.ofMinutes(5));
        assertThat(registered.state()).as("it is under way").isEqualTo(KindState.DEGRADED);
        registered.tellings().linger(telling);
        pass(Duration.ofMinutes(9));
        assertThat(registered.state()).as("the server may be at it still").isEqualTo(KindState.DEGRADED);
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(registered.stats().underWay().lingering()).isZero();
    }

    @Test
    void anErrorWhileACommittedNameIsToldIsFollowedByAScan() {
        becomeReady();
        keyThrows = true;
        registered.committed("alice");
        assertThat(keyThrows).isFalse();
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        store.rows.add("alice");
        pass(Duration.ofSeconds(5));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    @Test
    void aMentionedTextWithoutAKeyIsUnseenWhileTheRequestRunsAndLingers() {
        becomeReady();
        keyThrows = true;
        assertUnseenWhileItRunsAndLingers(registered.watched().watch("alice"));
        assertThat(keyThrows).isFalse();
    }

    @Test
    void aMentionedTextTooLongToReadIsUnseenWhileTheRequestRunsAndLingers() {
        becomeReady();
        assertUnseenWhileItRunsAndLingers(registered.watched().watch("a".repeat((1 << 21) + 1)));
    }

    private void assertUnseenWhileItRunsAndLingers(Announcement request) {
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        registered.rescan();
        pass(Duration.ofMinutes(5));
        assertThat(registered.state()).as("the request runs").isEqualTo(KindState.DEGRADED);
        request.close();
        pass(Duration.ofMinutes(9));
        assertThat(registered.state()).as("the server may be at it still").isEqualTo(KindState.DEGRADED);
        store.rows.add("alice");
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    /** Whether a barrier shows its transaction nobody has asked by then. */
    @Test
    void unseenWorkThatIsOverBeforeTheFirstScanDoesNotKeepItWaiting() {
        Telling unseen = new Telling();
        registered.tellings().unseen(unseen);
        Telling named = new Telling();
        registered.tellings().tell(named, "alice");
        end(unseen);
        end(named);
        registered.start();
        pass(Duration.ofSeconds(5));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(store.scans).isEqualTo(1);
        assertThat(registered.stats())
                .matches(
                        now -> now.underWay().lingering() == 0 && now.underWay().open() == 0);
    }

    @Test
    void theFirstScanBeginsAsSoonAsTheUnseenWorkIsOver() {
        Telling unseen = new Telling();
        registered.tellings().unseen(unseen);
        registered.start();
        pass(Duration.ofMinutes(3));
        assertThat(store.scans).isZero();
        end(unseen);
        pass(Duration.ofSeconds(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(store.scans).isEqualTo(1);
    }

    @Test
    void withoutABarrierTheFirstScanWaitsUntilUnseenWorkHasLingered() {
        store.barrierProves = false;
        Telling unseen = new Telling();
        registered.tellings().unseen(unseen);
        registered.start();
        end(unseen);
        pass(Duration.ofMinutes(9));
        assertThat(store.scans).isZero();
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    private void end(Telling telling) {
        registered.tellings().over(telling);
        registered.tellings().linger(telling);
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
        assertThat(registered.stats().scans().sinceLast().orElseThrow()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void memoryDoesNotAnswerPastTheIntervalAndAMargin() {
        becomeReady();
        store.scanFails = true;
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(14));
        assertThat(registered.state()).as("within half the interval").isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        store.scanFails = false;
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    /** A connection whose flow was forgotten: it gives no row, and no error either. */
    private void hang(Duration time) {
        for (long end = nanos + time.toNanos(); nanos < end; nanos += TimeUnit.MILLISECONDS.toNanos(500)) {
            for (boolean ran = true; ran; ) {
                ran = rebuilds.runNextBeside();
            }
        }
    }

    @Test
    void aFirstScanThatHangsIsGivenUpAndTriedAgainAndWhatItBringsIsRefused() {
        KindStats[] during = new KindStats[2];
        store.scanning = () -> {
            store.scanning = () -> {};
            hang(Duration.ofMinutes(9));
            during[0] = registered.stats();
            hang(Duration.ofMinutes(2));
            during[1] = registered.stats();
            store.rows.clear(); // or what it reads is an old state
        };
        store.rows.add("alice");
        registered.start();
        pass(Duration.ofSeconds(5));
        assertThat(during[0].state()).isEqualTo(KindState.WARMING);
        assertThat(during[1].state()).as("by the next one").isEqualTo(KindState.READY);
        assertThat(during[1].scans().failed()).isEqualTo(1);
        assertThat(store.scans).isEqualTo(2);
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(registered.stats().memory().entries())
                .as("not of the one that came late")
                .isEqualTo(1);
        pass(Duration.ofMinutes(11));
        assertThat(store.scans).as("it goes on").isEqualTo(3);
    }

    @Test
    void whyAScanThatHangsIsGivenUpIsSaid() {
        String[] reason = new String[1];
        store.scanning = () -> {
            store.scanning = () -> reason[0] = registered.stats().reason(); // of the next one
            hang(Duration.ofMinutes(11));
        };
        registered.start();
        pass(Duration.ofSeconds(5));
        assertThat(reason[0]).contains("silent for 600 s", "tried again");
    }

    /** The two threads of a kind: one tells of the swap while the other looks at the clock. */
    @Test
    void aLookAtTheClockDuringTheSwapFindsTheScanThatHasEnded() {
        becomeReady();
        store.scanFails = true;
        pass(Duration.ofMinutes(16));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        store.scanFails = false;
        whenReady = () -> {
            whenReady = () -> {};
            nanos += Duration.ofSeconds(2).toNanos();
            rebuilds.runNext();
        };
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    @Test
    void aScanThatCouldNotBeAskedForIsAskedForAgain() {
        becomeReady();
        store.scanFails = true;
        registered.rescan();
        pass(Duration.ofMinutes(5)); // the next try is a minute away
        rebuilds.failOnce();
        assertThatThrownBy(registered::rescan).isInstanceOf(OutOfMemoryError.class);
        store.scanFails = false;
        pass(Duration.ofMinutes(15));
        assertThat(registered.stats().scans().sinceLast().orElseThrow()).isLessThan(Duration.ofMinutes(10));
        assertThat(registered.state()).isEqualTo(KindState.READY);
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
    void aScanThatEndsMakesTheNextThatFailsBeTriedAgainSoon() {
        becomeReady();
        store.scanFails = true;
        registered.rescan();
        pass(Duration.ofMinutes(5)); // by now the next try is a minute away
        store.scanFails = false;
        pass(Duration.ofMinutes(2));
        store.scanFails = true;
        store.scans = 0;
        registered.rescan();
        pass(Duration.ofSeconds(10));
        assertThat(store.scans)
                .as("at once, and after one, two and four seconds")
                .isEqualTo(4);
    }

    @Test
    void bulkWorkThatGoesOnAndOnIsScannedForAtOneRate() {
        becomeReady();
        unseenWork();
        pass(Duration.ofMillis(500));
        assertThat(store.scans).as("at once").isEqualTo(2);
        for (int i = 0; i < 600; i++) {
            unseenWork();
            pass(Duration.ofMillis(500));
        }
        assertThat(store.scans)
                .as("one a second in five minutes, and some at once")
                .isBetween(290, 320);
        pass(Duration.ofSeconds(5));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    private void unseenWork() {
        Telling unseen = new Telling();
        registered.tellings().unseen(unseen);
        end(unseen);
    }

    @Test
    void aBarrierThatTimesOutIsNamedOnceMemoryDoesNotAnswerAnyMore() {
        becomeReady();
        store.transactionOpen = true;
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(14));
        assertThat(registered.state()).as("it was told of everything").isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(3));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        assertThat(registered.stats().reason()).contains("process 4711");
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        store.transactionOpen = false;
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    @Test
    void anOlderStateOfTheDatabaseDegradesUntilItIsScanned() {
        becomeReady();
        store.mark = new RegisteredIdentifierStore.DatabaseMark("one", 99);
        store.transactionOpen = true; // so that no scan mends it before we have looked
        store.rows.add("bob"); // committed after the copy was made, and told of to another
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        store.transactionOpen = false;
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(5));
        assertThat(registered.state()).as("it is known now").isEqualTo(KindState.READY);
    }

    @Test
    void anotherDatabaseInItsPlaceDegradesUntilItIsScanned() {
        becomeReady();
        store.mark = new RegisteredIdentifierStore.DatabaseMark("another", 500);
        store.rows.add("bob");
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        assertThat(store.scans).isEqualTo(2);
    }

    @Test
    void aDatabaseThatIsReplacedWhileItIsScannedIsAnotherOne() {
        store.scanned = () -> {
            store.scanned = () -> {};
            store.mark = new RegisteredIdentifierStore.DatabaseMark("another", 500);
        };
        becomeReady();
        store.rows.add("bob"); // of the other one
        pass(Duration.ofMinutes(2));
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
        assertThat(store.scans).isEqualTo(2);
    }

    @Test
    void whatAScanHasFoundIsAsOldAsItsBeginning() {
        store.scanned = () -> {
            nanos += Duration.ofMinutes(9).toNanos();
            store.scanFails = true; // from now on
        };
        becomeReady();
        store.rows.add("bob"); // by another program
        pass(Duration.ofMinutes(5));
        assertThat(registered.state()).as("within half the interval").isEqualTo(KindState.READY);
        pass(Duration.ofMinutes(2));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
    }

    @Test
    void theSameDatabaseFurtherOnIsNoNews() {
        becomeReady();
        int scans = store.scans;
        store.mark = new RegisteredIdentifierStore.DatabaseMark("one", 200);
        pass(Duration.ofMinutes(5));
        assertThat(store.scans).isEqualTo(scans);
    }

    /** Whoever asked for the scan found no memory. */
    @Test
    void aScanThatNobodyCouldAskForIsAskedForByTheClock() {
        becomeReady();
        rebuilds.failOnce();
        assertThatThrownBy(() -> registered.generations().loseTrust("told to")).isInstanceOf(OutOfMemoryError.class);
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        pass(Duration.ofSeconds(3));
        assertThat(registered.state()).isEqualTo(KindState.READY);
    }

    /** On a machine that wakes from its sleep, or by a ticker that is set by hand. */
    @Test
    void aClockThatJumpsBackMakesNoScanWait() {
        becomeReady();
        jump = Duration.ofDays(1).toNanos();
        pass(Duration.ofMinutes(1));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        jump = 0;
        store.rows.add("alice"); // by somebody who tells nobody
        pass(Duration.ofSeconds(3));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    @Test
    void aStoreThatCountsMoreRowsThanThereCanBeIsNotBelieved() {
        store.counted = 1L << 41;
        becomeReady();
    }

    @Test
    void aCountThatFailsIsSaidAndNoReasonNotToScan() {
        store.countFails = true;
        try (Told lines = new Told()) {
            becomeReady();
            assertThat(lines.lines()).anyMatch(line -> line.contains("Counting the rows of kind name failed with"));
        }
    }

    /** It was added, and no other read will find it missing. */
    @Test
    void aMissIsDistrustedAlthoughNobodyCanBeToldOfIt() {
        becomeReady();
        store.rows.add("alice"); // by somebody who tells nobody
        store.rows.add("bob");
        registered.registry().readAhead("alice", "alice");
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
    }
}

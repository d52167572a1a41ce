package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Announcement;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RowsStore;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.OpenTellings;
import io.github.untaken.memory.Scanned;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Errands;
import io.github.untaken.store.Stores;
import io.github.untaken.text.Fold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tellers and births in schedules that no thread need be made to stand still for: what comes in between is done by the filter that is
 * told, or by the store that is waited for.
 */
class TellingsTest {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final List<Duration> births = new ArrayList<>();
    private long nanos;
    /** Of the next generation that is made. */
    private boolean full;

    /** Exact; does something when it is first told, or has no room. */
    private static final class ScriptedFilter implements MembershipFilter {
        private final Set<Long> hashes = new HashSet<>();
        private Runnable whenFirstTold = () -> {};
        private boolean full;

        @Override
        public boolean mightContain(long hash) {
            return hashes.contains(hash);
        }

        @Override
        public void mightContainAll(long[] asked, boolean[] results) {
            for (int i = 0; i < asked.length; i++) {
                results[i] = mightContain(asked[i]);
            }
        }

        @Override
        public boolean add(long hash) {
            Runnable meanwhile = whenFirstTold;
            whenFirstTold = () -> {};
            meanwhile.run();
            return !full && hashes.add(hash);
        }

        @Override
        public long entries() {
            return hashes.size();
        }

        @Override
        public long capacity() {
            return Long.MAX_VALUE;
        }

        @Override
        public long bytes() {
            return 0;
        }
    }

    private static Generation over(MembershipFilter filter) {
        return new Generation(Fold.byKey(LOWER_CASE), KeyHasher.of(1, 2), filter, new Generation.Limits(100, 100, 0));
    }

    private RegistrySettings settings() {
        return SteppedSettings.of(
                (fold, planned) -> {
                    ScriptedFilter filter = new ScriptedFilter();
                    filter.full = full;
                    full = false;
                    return over(filter);
                },
                Duration.ofDays(1),
                () -> nanos);
    }

    /** The parts alone: who is told, and in which order. */
    @Nested
    class Parts {
        private Runnable whenDegraded = () -> {};
        private final Generations generations = new Generations(
                KIND,
                new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        if (state == KindState.DEGRADED) {
                            whenDegraded.run();
                        }
                    }
                },
                () -> nanos,
                births::add);
        private final OpenTellings open = new OpenTellings(3, 10);
        private final Tellings tellings = new Tellings(generations, open, false, why -> {});
        private final ScriptedFilter filter = new ScriptedFilter();

        private Generation serving() {
            Generation one = over(filter);
            generations.serve(one, tellings.born(one));
            tellings.barrier(true);
            assertThat(generations.serves(one)).isTrue();
            return one;
        }

        private Telling told(String... texts) {
            Telling telling = new Telling();
            for (String text : texts) {
                tellings.tell(telling, text);
            }
            return telling;
        }

        @Test
        void whatTheLogTellsWithoutABarrierIsOneTellingForEachTick() {
            tellings.barrier(false);
            for (int tick = 0; tick < 3; tick++) {
                for (int i = 0; i < 1_000; i++) {
                    tellings.logged("name" + tick + "-" + i);
                }
                tellings.tick();
            }
            assertThat(tellings.lingering()).isEqualTo(3);
            assertThat(tellings.open()).as("texts are kept up to the limit").isEqualTo(3);
        }

        @Test
        void aTellerEntersTheOpenSetBeforeItTellsAnybody() {
            Generation unused = serving();
            Generation newborn = over(new ScriptedFilter());
            filter.whenFirstTold = () -> assertThat(tellings.born(newborn)).isNotNegative();
            told("alice");
            assertThat(newborn.mightContain("alice")).isTrue();
        }

        @Test
        void aNewbornIsListedBeforeItReadsTheOpenSet() {
            Generation unused = serving();
            Telling telling = told("kim");
            ScriptedFilter reading = new ScriptedFilter();
            reading.whenFirstTold = () -> tellings.tell(telling, "alice");
            Generation newborn = over(reading);
            assertThat(tellings.born(newborn)).isNotNegative();
            assertThat(newborn.mightContain("kim")).isTrue();
            assertThat(newborn.mightContain("alice")).isTrue();
        }

        @Test
        void whatIsUnseenIsNoticedBeforeItIsSent() {
            Generation one = serving();
            Telling telling = new Telling();
            tellings.unseen(telling);
            assertThat(generations.serves(one)).isFalse();
        }

        @Test
        void noBirthBeginsBesideWhatIsUnseen() {
            Generation unused = serving();
            Telling telling = new Telling();
            tellings.unseen(telling);
            Generation newborn = over(new ScriptedFilter());
            assertThat(tellings.born(newborn)).isNegative();
            assertThat(births).isEmpty();
            tellings.over(telling);
            assertThat(births).isNotEmpty();
            generations.serve(newborn, tellings.born(newborn));
            assertThat(generations.serves(newborn)).isTrue();
        }

        /** On another thread, before it has entered the open set. */
        @Test
        void whatEndsWhileItIsBeingNoticedLingersAsAllElse() {
            Generation unused = serving();
            Telling telling = new Telling();
            whenDegraded = () -> tellings.linger(telling);
            tellings.unseen(telling);
            for (int i = 0; i < 10; i++) {
                assertThat(tellings.born(over(new ScriptedFilter()))).isNegative();
                tellings.tick();
            }
            assertThat(tellings.born(over(new ScriptedFilter()))).isNotNegative();
        }

        @Test
        void noBirthBeginsBesideAnOpenSetThatIsFull() {
            Generation one = serving();
            Telling telling = told("alice", "bob", "carol", "dave");
            Generation newborn = over(new ScriptedFilter());
            assertThat(tellings.born(newborn)).isNegative();
            assertThat(generations.serves(one)).isTrue();
            assertThat(one.mightContain("dave")).isTrue();
            tellings.over(telling);
            assertThat(births).isNotEmpty();
            assertThat(tellings.born(newborn)).isNotNegative();
        }

        @Test
        void aFilterThatRefusesAnEntryIsNotBelieved() {
            Generation one = serving();
            filter.full = true;
            told("alice");
            assertThat(generations.serves(one)).isFalse();
            assertThat(births).isNotEmpty();
        }

        /** The read saw nothing before the renewal, and its answer comes after the name was told to the renewed. */
        @Test
        void aReadThatIsLateTeachesTheRenewedNothing() {
            Generation one = serving();
            Generation renewed = one.renewed();
            assertThat(tellings.born(renewed)).isNotNegative();
            generations.renew(one, renewed);
            assertThat(generations.serves(renewed)).isTrue();
            told("alice");
            one.learnAbsence("alice");
            assertThat(renewed.mayHave("alice")).isTrue();
            assertThat(renewed.mightContain("alice")).isTrue();
        }
    }

    /** What was kept in a file, in the place of a scan. */
    @Nested
    class Resumed {
        @Test
        void whatWasKeptServesAfterTheBarrierAndAQuestionAskedBehindIt() {
            List<String> steps = new ArrayList<>();
            Rows store = new Rows();
            store.whenWaitedFor = () -> steps.add("barrier");
            Generations generations = new Generations(KIND, new CheckListener() {}, () -> nanos, births::add);
            VirtualSchedule schedule = new VirtualSchedule(() -> nanos);
            Stores stores = new Stores(List.of(store));
            Resumption resumption = new Resumption(
                    new KeptGeneration(
                            over(new ScriptedFilter()), new Scanned(stores.identity(List.of()), Instant.EPOCH), "here"),
                    generations,
                    new Tellings(generations, new OpenTellings(3, 10), true, why -> {}),
                    stores,
                    errand -> true,
                    () -> {
                        steps.add("question");
                        return CompletableFuture.completedFuture(null);
                    },
                    (delay, task) -> schedule.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS),
                    Duration.ofSeconds(1),
                    PAUSE,
                    new Resumption.Outcome() {
                        @Override
                        public void serves(KeptGeneration kept, long baseline, List<DatabaseMark> marks) {
                            steps.add("serves");
                        }

                        @Override
                        public void scans(String reason) {
                            steps.add(reason);
                        }
                    });
            resumption.run(new Errands(Runnable::run).begin(Duration.ofMinutes(1), () -> {}));
            while (schedule.canRun()) {
                schedule.runNext();
            }
            assertThat(steps).containsExactly("barrier", "question", "serves");
        }
    }

    private static final class Rows extends RowsStore implements RegisteredIdentifierStore.Barrier {
        private Runnable whenWaitedFor = () -> {};
        private boolean seesOthers = true;
        private boolean fails;
        private int scans;

        @Override
        public Presence exists(String text, Duration timeout) {
            if (fails) {
                throw new StoreException("told to fail");
            }
            return super.exists(text, timeout);
        }

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            whenWaitedFor.run();
            return seesOthers;
        }

        @Override
        public void scan(Consumer<String> values) {
            scans++;
            super.scan(values);
        }
    }

    /** A registry on one thread. */
    @Nested
    class Registry {
        private final Rows store = new Rows();
        private final VirtualSchedule schedule = new VirtualSchedule(() -> nanos);
        private RegisteredKind registered;

        private void start(RegisteredIdentifierStore... stores) {
            begin(LOWER_CASE, stores);
            assertThat(registered.state()).isEqualTo(KindState.READY);
        }

        private void begin(IdentifierNormalizer normalizer, RegisteredIdentifierStore... stores) {
            registered = new RegisteredKind(
                    new KindTerms(
                            KIND,
                            normalizer,
                            new Stores(List.of(stores)),
                            CatalogLease.Terms.UNASKED,
                            KindTerms.Policy.PLAIN,
                            new KindTerms.Workers(Runnable::run, schedule, Runnable::run)),
                    settings(),
                    null);
            registered.start();
            pass(Duration.ofSeconds(2));
        }

        private void pass(Duration time) {
            for (long end = nanos + time.toNanos(); nanos < end; nanos += PAUSE.toNanos()) {
                while (schedule.canRun()) {
                    schedule.runNext();
                }
            }
        }

        private Status status(String name) {
            return registered
                    .registry()
                    .check(name, name, false, () -> true, null)
                    .status();
        }

        private Telling tell(String name) {
            Telling telling = new Telling();
            registered.tellings().tell(telling, name);
            return telling;
        }

        @Test
        void aRenewalWaitsForWhoeverHadWritten() {
            start(store);
            registered.tellings().over(tell("alice")); // inserted, not committed
            assertThat(status("alice")).as("asks for the renewal").isEqualTo(Status.AVAILABLE);
            store.whenWaitedFor = () -> store.rows.add("alice");
            pass(Duration.ofMinutes(2));
            assertThat(registered.stats().memory().renewals()).isEqualTo(1);
            status("alice"); // what it finds may be remembered
            store.rows.add("alice");
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
        }

        @Test
        void whatIsToldWhileARenewalWaitsIsToldToTheRenewed() {
            start(store);
            registered.tellings().over(tell("kim"));
            assertThat(status("kim")).as("asks for the renewal").isEqualTo(Status.AVAILABLE);
            store.whenWaitedFor = () -> tell("alice");
            pass(Duration.ofMinutes(2));
            assertThat(registered.stats().memory().renewals()).isEqualTo(1);
            assertThat(status("alice")).as("under way").isEqualTo(Status.AVAILABLE);
            store.rows.add("alice");
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
        }

        @Test
        void oneStoreThatCannotTellLeavesTheBarrierUnproved() {
            start(new RowsStore(), store);
            Telling telling = tell("alice");
            registered.tellings().over(telling); // inserted into the first, not committed
            assertThat(registered.stats().underWay().open()).isEqualTo(1);
            registered.tellings().linger(telling);
            pass(Duration.ofMinutes(11));
            assertThat(registered.stats().underWay().open()).isZero();
        }

        @Test
        void moreRowsThanThereIsRoomForAreScannedAnew() {
            store.rows.add("alice");
            full = true;
            start(store);
            assertThat(store.scans).isEqualTo(2);
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
        }

        /** A statement was closed since a barrier would wait for its transaction. */
        @Test
        void aBarrierThatDoesNotSeeOthersAnyMoreIsNotBelieved() {
            start(store);
            registered.tellings().over(tell("alice")); // inserted, not committed
            store.seesOthers = false;
            registered.rescan();
            pass(Duration.ofSeconds(5));
            store.rows.add("alice");
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
            assertThat(registered.stats().scans().failed()).isPositive();
        }

        @Test
        void aBurstOfBulkWorkIsNoBurstOfScans() {
            start(store);
            int before = store.scans;
            for (int i = 0; i < 100; i++) {
                Telling telling = new Telling();
                registered.tellings().unseen(telling);
                registered.tellings().close(telling);
            }
            pass(Duration.ofMinutes(10));
            assertThat(store.scans - before).isBetween(1, 2);
            assertThat(registered.state()).isEqualTo(KindState.READY);
        }

        @Test
        void whereOneNameWasMissedTheDatabaseAnswersForAll() {
            start(store);
            store.rows.addAll(List.of("alice", "bob")); // by a program that nobody hears
            registered.registry().readAhead("alice", "alice");
            assertThat(registered.stats().missesProved()).isEqualTo(1);
            assertThat(status("bob")).isEqualTo(Status.TAKEN);
            pass(Duration.ofMinutes(2));
            assertThat(registered.state()).isEqualTo(KindState.READY);
            assertThat(status("bob")).isEqualTo(Status.TAKEN);
        }

        @Test
        void whatCouldNotBeReadAtTheEndOfItsRequestIsTold() {
            start(store);
            Announcement mentioned = registered.watched().watch("alice");
            store.rows.add("alice");
            store.fails = true;
            mentioned.close();
            store.fails = false;
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
        }

        @Test
        void twoRequestsThatMentionANameEndOneByOne() {
            start(store);
            Announcement first = registered.watched().watch("alice");
            Announcement second = registered.watched().watch("alice");
            first.close();
            store.rows.add("alice"); // by the second
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
            second.close();
            assertThat(status("alice")).isEqualTo(Status.TAKEN);
        }

        @Test
        void whatIsMerelyMentionedIsToldToNobody() {
            start(store);
            try (Announcement mentioned = registered.watched().watch("alice")) {
                assertThat(mentioned).isNotNull();
                assertThat(registered.stats())
                        .matches(now -> now.memory().told() == 0
                                && now.memory().entries() == 0
                                && now.underWay().open() == 0);
            }
            assertThat(registered.stats())
                    .matches(now -> now.memory().told() == 0
                            && now.memory().entries() == 0
                            && now.underWay().open() == 0);
            assertThat(registered
                            .registry()
                            .check("alice", "alice", false, () -> true, null)
                            .decidedBy())
                    .isEqualTo(Verdict.DecidedBy.FILTER);
        }
    }
}

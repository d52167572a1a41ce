package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.CoarseFilter;
import io.github.untaken.memory.Generation;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.store.Stores;
import io.github.untaken.text.Fold;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/**
 * One seed of the deterministic simulation: the real registry, a virtual clock, and a scheduler that picks what happens next
 * by the seed alone.
 *
 * <p>Things overlap in two ways. While a store read, a barrier or a scan is under way, further events may be run from inside
 * it; they end before it goes on. And some store reads stand still on a {@link Fibers fiber}, to go on whenever the
 * scheduler picks them, after a swap as well as before. A check is begun and answered by two events, with anything in
 * between. What is not interleaved is the registry's own code between two store calls.
 */
final class Simulation implements SimulatedStore.Surroundings {
    private static final int MAX_DEPTH = 4;
    private static final int MAX_ASKED = 40;
    private static final int BARRIER_PATIENCE = 120;

    private enum Event {
        CHECK(30),
        ANSWER(22),
        READ(20),
        RESUME(9),
        BEGIN(22),
        STEP(90),
        REBUILD(16),
        RESCAN(1),
        JUMP(1),
        TROUBLE(1),
        BULK(1),
        HANGING_ENDS(1),
        FORGET_WHITELIST(1);

        private final int weight;

        Event(int weight) {
            this.weight = weight;
        }
    }

    private enum Note {
        VERDICT,
        SWAP,
        MISS
    }

    /** What a check knew of the slots of the text and of its key. */
    private record Before(int value, CommitOracle.Before ofText, CommitOracle.Before ofKey, long failures) {}

    private record Asked(Before before, StoreAnswers.Question question) {}

    private static final Event[] EVENTS = weighted();

    private final long seed;
    private final SplittableRandom random;
    private final SimulationProfile profile;
    private final SimulationTrace trace;
    private final Fibers fibers;
    private final CommitOracle oracle = new CommitOracle();
    private final SimulatedStore store;
    private final VirtualSchedule rebuilds = new VirtualSchedule(this::now);
    private final ArrayDeque<Runnable> queuedReads = new ArrayDeque<>();
    private final List<Fibers.Fiber> standing = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private final RegisteredKind registered;
    private final SimulatedApplication application;
    private final SimulationCounts counts = new SimulationCounts();
    private final int[] lastAsked = new int[3];
    private long clock = 1_000_000_000L;
    private int eventsLeft;
    private int depth;
    private int runningReads;
    private int failuresInThousand;
    private int refusedScans;
    private long failures; // of the store, of its threads, and for want of a place in their queue
    private boolean mayRead;
    private boolean finishing;
    private String violation;

    Simulation(long seed, int events, Fibers fibers, boolean readable) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.profile = SimulationProfile.draw(random, events);
        this.trace = new SimulationTrace(readable);
        this.fibers = fibers;
        this.eventsLeft = events;
        this.failuresInThousand = profile.failuresInThousand();
        this.store = new SimulatedStore(profile.folds(), profile.scansRanges(), profile.barrierProves(), this, oracle);
        this.registered = new RegisteredKind(
                new KindTerms(
                        KIND,
                        SimulatedNames.NORMALIZER,
                        new Stores(List.of(store)),
                        CatalogLease.Terms.UNASKED,
                        KindTerms.Policy.PLAIN,
                        new KindTerms.Workers(this::queueRead, rebuilds, Runnable::run)),
                profile.settings(this::generation, this::now, new GuardedListener(new Listener(), Runnable::run)),
                null);
        KindChecker checker =
                new KindChecker(Rules.of(KIND, SimulatedNames.NORMALIZER, ReservedNames.none()), registered);
        this.application =
                new SimulatedApplication(random, profile, store, new Kinds(Map.of(KIND, checker)), this::now, trace);
        trace.comment(profile.toString());
    }

    private static Event[] weighted() {
        List<Event> all = new ArrayList<>();
        for (Event event : Event.values()) {
            for (int i = 0; i < event.weight; i++) {
                all.add(event);
            }
        }
        return all.toArray(new Event[0]);
    }

    private long now() {
        return clock;
    }

    private Generation generation(Fold fold, long planned) {
        long limit = Math.max(8, (long) store.rows() * profile.headroom() / 100) << Math.min(refusedScans++, 6);
        KeyHasher hasher = KeyHasher.of(random.nextLong(), random.nextLong());
        return new Generation(
                fold,
                hasher,
                CoarseFilter.of(MembershipFilters.of(profile.filter(), limit), profile.filterBits(), limit),
                profile.limits());
    }

    private final class Listener implements CheckListener {
        /** One that stood still for too long is given up. */
        @Override
        public void storeRead(IdentifierKind kind, StoreRead read) {
            failures += read.succeeded() ? 0 : 1;
        }

        @Override
        public void rebuilt(IdentifierKind kind, long rows, long nanos) {
            trace.note(Note.SWAP, (int) rows);
            oracle.scanned(store.lastScanBegan());
            refusedScans = 0;
            counts.swaps++;
        }

        @Override
        public void missProved(IdentifierKind kind) {
            trace.note(Note.MISS, 0);
            counts.misses++;
            if (!oracle.anythingUntold()) {
                violated("a miss was proved although every write was told of");
            }
        }
    }

    private void violated(String what) {
        if (violation == null) {
            violation = what;
            trace.comment("VIOLATION: " + what);
        }
    }

    // ---------------------------------------------------------------- the run

    SimulationResult run() {
        try {
            application.fillStore();
            registered.start();
            while (eventsLeft > 0 && violation == null) {
                event();
            }
            finish();
        } catch (RuntimeException | Error e) {
            violated("the registered threw " + e);
            counts.thrown = e;
        }
        counts.add(registered.stats());
        return new SimulationResult(seed, trace.hash(), violation, trace.lines(), counts);
    }

    private void event() {
        eventsLeft--;
        advance(random.nextInt(200_000_000));
        Event event = EVENTS[random.nextInt(EVENTS.length)];
        trace.note(event, eventsLeft);
        boolean outer = mayRead;
        mayRead = false;
        depth++;
        trace.enter();
        try {
            happen(event);
        } finally {
            trace.leave();
            depth--;
            mayRead = outer;
        }
    }

    private void happen(Event event) {
        switch (event) {
            case CHECK -> check();
            case ANSWER -> answer();
            case READ -> startRead();
            case RESUME -> {
                if (!profile.slowReads() || random.nextInt(12) == 0) {
                    resumeRead();
                }
            }
            case BEGIN -> {
                if (application.open() < profile.maxOpen()) {
                    application.begin();
                }
            }
            case STEP -> application.step();
            case REBUILD -> runRebuilds();
            case RESCAN -> {
                if (!profile.calm() || random.nextInt(8) == 0) {
                    registered.rescan();
                }
            }
            case JUMP -> {
                double share = Math.pow(random.nextDouble(), profile.calm() ? 8 : 3);
                advance((long) (share * Duration.ofMinutes(15).toNanos()));
            }
            case TROUBLE ->
                failuresInThousand =
                        profile.failuresInThousand() == 0 || random.nextInt(3) > 0 ? profile.failuresInThousand() : 500;
            case BULK -> {
                if (!profile.calm() && depth < MAX_DEPTH && random.nextBoolean()) {
                    application.bulk(() -> others(random.nextInt(12)));
                }
            }
            case HANGING_ENDS -> application.endOneHanging();
            case FORGET_WHITELIST -> registered.clearWhitelist();
        }
    }

    /** Time passes; nothing hangs longer than what nobody hears of lingers. */
    private void advance(long nanos) {
        long until = clock + nanos;
        while (true) {
            clock = Math.max(clock, application.nextDeadline(until));
            application.endHangingDue();
            if (application.nextDeadline(until) >= until) {
                clock = until;
                return;
            }
        }
    }

    // ---------------------------------------------------------------- checks

    private void check() {
        int size = random.nextInt(6) == 0 ? 1 + random.nextInt(5) : 1;
        List<String> texts = new ArrayList<>();
        String[] keys = new String[size];
        Before[] before = new Before[size];
        for (int i = 0; i < size; i++) {
            int value = valueToAsk();
            texts.add(SimulatedNames.text(value));
            keys[i] = SimulatedNames.keyText(SimulatedNames.keyOf(value));
            before[i] = before(value);
        }
        Verdict[] verdicts = new Verdict[size];
        registered.registry().allFromMemory(texts, keys, verdicts);
        for (int i = 0; i < size; i++) {
            int key = SimulatedNames.keyOf(before[i].value());
            if (verdicts[i] != null) {
                judge(before[i], verdicts[i]);
            } else if (asked.size() < MAX_ASKED) {
                asked.add(new Asked(before[i], registered.registry().readAhead(texts.get(i), keys[i])));
                application.asked(key);
                lastAsked[random.nextInt(lastAsked.length)] = key;
            }
        }
    }

    private Before before(int value) {
        int key = SimulatedNames.keyOf(value) * SimulatedNames.SPELLINGS;
        return new Before(value, oracle.before(store.slot(value)), oracle.before(store.slot(key)), failures);
    }

    private int valueToAsk() {
        int key = switch (random.nextInt(8)) {
            case 0, 1 -> application.hotKey();
            case 2, 3, 4 -> lastAsked[random.nextInt(lastAsked.length)];
            default -> random.nextInt(profile.names());
        };
        int spelling = random.nextInt(3) == 0 ? random.nextInt(SimulatedNames.SPELLINGS) : 0;
        return key * SimulatedNames.SPELLINGS + spelling;
    }

    private void answer() {
        for (int i = asked.size() - 1; i >= 0; i--) {
            Asked one = asked.get(i);
            if (one.question().isDone() && random.nextInt(3) > 0) {
                asked.remove(i);
                judge(one.before(), registered.registry().fromStore(one.question(), null));
            }
        }
    }

    /** Available and taken are what the unique constraint says of the text and of its key. */
    private void judge(Before before, Verdict verdict) {
        counts.checks++;
        DecidedBy by = verdict.decidedBy();
        counts.decided[by.ordinal()]++;
        trace.note(Note.VERDICT, by.ordinal(), before.value(), verdict.status());
        if (verdict.status() == Status.AVAILABLE) {
            counts.available++;
            if (oracle.takenThroughout(before.ofText()) || oracle.takenThroughout(before.ofKey())) {
                violated("a committed name was called available, decided by " + by);
            }
        } else if (verdict.status() == Status.TAKEN) {
            if (oracle.freeThroughout(before.ofText()) && oracle.freeThroughout(before.ofKey())) {
                violated("a name is said to be taken that was free throughout, by " + by);
            }
        } else {
            counts.unknown++;
            if (failures == before.failures()) {
                violated("nothing is known of a name although nothing has failed since it was asked for");
            }
        }
    }

    // ---------------------------------------------------------------- the registry's threads

    private void queueRead(Runnable read) {
        if (queuedReads.size() >= profile.recheckQueue()) {
            counts.refusedReads++;
            failures++;
            throw new RejectedExecutionException("full");
        }
        if (!finishing && fails()) {
            throw new SimulatedStore.SimulatedError("a thread pool");
        }
        queuedReads.add(read);
    }

    private void startRead() {
        if (queuedReads.isEmpty() || runningReads >= profile.recheckThreads()) {
            return;
        }
        Runnable read = queuedReads.poll();
        runningReads++;
        mayRead = true;
        if (!finishing && random.nextInt(100) < profile.percentStandingStill()) {
            resume(fibers.of(read));
        } else {
            read.run();
            runningReads--;
        }
    }

    private void resumeRead() {
        if (!standing.isEmpty()) {
            mayRead = true;
            resume(standing.remove(random.nextInt(standing.size())));
        }
    }

    private void resume(Fibers.Fiber fiber) {
        if (fiber.resume()) {
            runningReads--;
        } else {
            counts.standing++;
            standing.add(fiber);
        }
    }

    private void runRebuilds() {
        if (rebuilds.canRun() && depth < MAX_DEPTH) {
            mayRead = true;
            rebuilds.runNext();
        }
    }

    // ---------------------------------------------------------------- around the store's reads

    /** Further events from inside a store call. */
    private void others(int most) {
        for (int i = 0; i < most && eventsLeft > 0 && depth < MAX_DEPTH && violation == null; i++) {
            event();
        }
    }

    @Override
    public void meanwhile() {
        if (finishing) {
            return;
        }
        if (fibers.onFiber()) {
            if (random.nextBoolean()) {
                fibers.standStill();
            }
        } else if (random.nextInt(8) == 0) {
            others(1 + random.nextInt(6));
        }
    }

    @Override
    public void betweenRows() {
        if (!finishing && random.nextInt(profile.slowScans() ? 2 : 6) == 0) {
            others(1 + random.nextInt(profile.slowScans() ? 24 : 4));
        }
    }

    @Override
    public boolean untilEnded(List<SimulatedTransaction> awaited) {
        for (int i = 0; i < BARRIER_PATIENCE; i++) {
            awaited.removeIf(transaction -> !store.isOpen(transaction));
            if (awaited.isEmpty()) {
                return true;
            }
            if (eventsLeft == 0 || depth >= MAX_DEPTH) {
                return false;
            }
            others(1);
        }
        return false;
    }

    @Override
    public void reading(String violationFound) {
        if (!mayRead && !fibers.onFiber()) {
            violated("the store was read on a thread of the application");
        }
        if (!violationFound.isEmpty()) {
            violated(violationFound);
        }
    }

    @Override
    public boolean fatally() {
        return random.nextInt(4) == 0;
    }

    @Override
    public boolean fails() {
        boolean fails = failuresInThousand != 0 && random.nextInt(1000) < failuresInThousand;
        failures += fails ? 1 : 0;
        return fails;
    }

    // ---------------------------------------------------------------- the end

    /** Everything comes to its end; then one more scan, after which memory and store must agree exactly. */
    private void finish() {
        finishing = true;
        eventsLeft = 0;
        failuresInThousand = 0;
        settle();
        application.finish();
        settle();
        for (int i = 0; i < 200 && (registered.stats().underWay().lingering() > 0 || !ready()); i++) {
            advance(Duration.ofSeconds(i < 50 ? 1 : 60).toNanos());
            settle();
        }
        registered.rescan();
        settle();
        if (violation != null) {
            return;
        }
        KindStats stats = registered.stats();
        expect(ready(), "the registered never became ready again: " + stats.reason());
        expect(stats.underWay().open() == 0, stats.underWay().open() + " texts stay open");
        expect(stats.memory().entries() <= store.rows(), "more entries than rows after the last scan");
        for (int key = 0; key < profile.names() && violation == null; key++) {
            int value = key * SimulatedNames.SPELLINGS + random.nextInt(SimulatedNames.SPELLINGS);
            Before before = before(value);
            String text = SimulatedNames.text(value);
            String keyText = SimulatedNames.keyText(key);
            Verdict[] verdict = new Verdict[1];
            registered.registry().allFromMemory(List.of(text), new String[] {keyText}, verdict);
            if (verdict[0] == null) {
                StoreAnswers.Question question = registered.registry().readAhead(text, keyText);
                settle();
                if (!question.isDone()) {
                    violated("a read never came back");
                    return;
                }
                verdict[0] = registered.registry().fromStore(question, null);
            }
            judge(before, verdict[0]);
            boolean taken = oracle.isTaken(before.ofText().slot())
                    || oracle.isTaken(before.ofKey().slot());
            Status right = taken ? Status.TAKEN : Status.AVAILABLE;
            expect(verdict[0].status() == right, "in the end a name is " + verdict[0].status() + ", not " + right);
        }
    }

    private boolean ready() {
        return registered.state() == KindState.READY;
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            violated(otherwise);
        }
    }

    /** Runs what is queued or due until nothing is. */
    private void settle() {
        for (int i = 0; i < 100_000 && violation == null; i++) {
            if (!standing.isEmpty()) {
                resumeRead();
            } else if (!queuedReads.isEmpty()) {
                startRead();
            } else if (rebuilds.canRun()) {
                runRebuilds();
            } else {
                answer();
                return;
            }
        }
        expect(violation != null, "the registered never comes to rest");
    }
}

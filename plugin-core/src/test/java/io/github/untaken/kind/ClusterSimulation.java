package io.github.untaken.kind;

import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * One seed of the simulation of several nodes: real registries that follow the log of one simulated database, each by clocks of its
 * own, and a scheduler that picks what happens next by the seed alone.
 *
 * <p>As in {@link Simulation}, further events are run from inside store reads, scans and barriers, and some reads stand still on a
 * fiber; here also from inside questions, and inside a check: between the look into memory and the look at the clock.
 */
final class ClusterSimulation implements SimulatedStore.Surroundings, ClusterNode.World {
    private static final int MAX_DEPTH = 4;
    private static final int MAX_ASKED = 20;
    private static final int PATIENCE = 60;
    private static final int BARRIER_PATIENCE = 200;

    private enum Event {
        CHECK(50),
        ANSWER(16),
        READ(20),
        RESUME(20),
        BEGIN(16),
        STEP(36),
        FEED(36),
        TROUBLE(3),
        QUESTION(40),
        REBUILD(50),
        RESCAN(4),
        KEEP(9),
        RESTART(1),
        CLOCK(3);

        private final int weight;

        Event(int weight) {
            this.weight = weight;
        }
    }

    private enum Note {
        VERDICT
    }

    /** What was so of the slots of a text and of its key when a check began. */
    record Before(int value, long began, ClusterOracle.Before ofText, ClusterOracle.Before ofKey) {}

    /** A task that stands still, and whose it is. */
    private record Standing(Fibers.Fiber fiber, ClusterNode node, Runnable ended) {}

    private static final Event[] EVENTS = weighted();

    private final long seed;
    private final SplittableRandom random;
    private final ClusterProfile profile;
    private final SimulationTrace trace;
    private final Fibers fibers;
    private final ClusterOracle oracle;
    private final SimulatedStore store;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final ClusterLog log = new ClusterLog();
    private final List<Standing> standing = new ArrayList<>();
    private final ClusterWriters writers;
    private final SimulationCounts counts = new SimulationCounts();
    private final int[] lastAsked = new int[3];
    private long clock = 1_000_000_000L;
    private int eventsLeft;
    private int depth;
    private ClusterNode checking;
    private boolean finishing;
    private boolean hasFailed; // some read or question of this world
    private String violation;

    ClusterSimulation(long seed, int events, Fibers fibers, boolean readable) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.profile = ClusterProfile.draw(random);
        this.trace = new SimulationTrace(readable);
        this.fibers = fibers;
        this.eventsLeft = events;
        this.oracle = new ClusterOracle(profile.nodes(), profile.folds());
        this.store = new SimulatedStore(profile.folds(), profile.scansRanges(), true, this, oracle);
        for (int number = 0; number < profile.nodes(); number++) {
            nodes.add(new ClusterNode(number, this, random, profile, store, log));
        }
        this.writers = new ClusterWriters(
                random, profile, store, log, oracle, number -> nodes.get(number).kinds, this::now, trace);
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

    @Override
    public long now() {
        return clock;
    }

    private void violated(String what) {
        if (violation == null) {
            violation = what;
            trace.comment("VIOLATION: " + what);
        }
    }

    @Override
    public void swapped() {
        counts.swaps++;
    }

    @Override
    public void proved(ClusterNode node) {
        counts.misses++;
        violated("node " + node.number + " proved a miss although every commit is told of");
    }

    // ---------------------------------------------------------------- the run

    SimulationResult run() {
        try {
            writers.fillStore();
            nodes.forEach(ClusterNode::start);
            if (random.nextInt(4) > 0) { // a day like any other, and not the first
                finishing = true;
                settle();
                finishing = false;
            }
            while (eventsLeft > 0 && violation == null) {
                event();
            }
            finish();
        } catch (RuntimeException | Error e) {
            violated("a registered threw " + e);
            counts.thrown = e;
        }
        nodes.forEach(node -> counts.add(node.registered.stats()));
        return new SimulationResult(seed, trace.hash(), violation, trace.lines(), counts);
    }

    private void event() {
        eventsLeft--;
        clock += random.nextInt(profile.pace());
        Event event = EVENTS[random.nextInt(EVENTS.length)];
        ClusterNode node = nodes.get(random.nextInt(nodes.size()));
        trace.note(event, node.number);
        aside(() -> happen(event, node));
    }

    /** What happens from here on happens elsewhere than on the thread of a check that may be under way. */
    private void aside(Runnable events) {
        ClusterNode outer = checking;
        checking = null;
        depth++;
        trace.enter();
        try {
            events.run();
        } finally {
            trace.leave();
            depth--;
            checking = outer;
        }
    }

    private void happen(Event event, ClusterNode node) {
        switch (event) {
            case BEGIN -> {
                if (writers.open() < profile.maxOpen()) {
                    writers.begin();
                }
            }
            case STEP -> writers.step();
            case RESUME -> resume();
            default -> {
                if (!node.isPaused()) {
                    happenOn(node, event);
                }
            }
        }
    }

    private void happenOn(ClusterNode node, Event event) {
        switch (event) {
            case CHECK -> check(node);
            case ANSWER -> answer(node);
            case READ -> startRead(node);
            case FEED -> node.feed.step();
            case TROUBLE -> {
                node.feed.trouble(random.nextInt(100) < profile.percentLost());
                if (random.nextInt(3) == 0) {
                    node.registered.rescan();
                }
            }
            case QUESTION -> question(node);
            case REBUILD -> {
                for (int n = 0;
                        n < 3 && node.rebuilds.canRun() && depth < MAX_DEPTH;
                        n++) { // most are looks at the clock
                    node.rebuilds.runNext();
                }
            }
            case RESCAN -> node.registered.rescan();
            case KEEP -> node.keep();
            case RESTART -> restart(node);
            case CLOCK -> clock(node);
            default -> throw new AssertionError(event);
        }
    }

    /** A machine is paused and goes on, or a clock on the wall is set. Only one clock of a node is ever wrong. */
    private void clock(ClusterNode node) {
        if (random.nextInt(3) == 0) {
            clock += random.nextLong(profile.bound().toNanos()); // nothing happens anywhere
        } else if (profile.clocksPause()) {
            node.pause();
            clock += random.nextLong(2 * profile.bound().toNanos());
            others(random.nextInt(10));
            node.goOn();
        } else {
            node.setWallBy(random.nextInt(-profile.boundMillis(), profile.boundMillis()));
        }
    }

    /** Its process ends, and another begins with what was kept last, if anything was. What the first has begun leads nowhere. */
    private void restart(ClusterNode node) {
        if (nodes.get(node.number) != node) {
            return; // it has ended on the way here
        }
        if (random.nextBoolean()) {
            node.keep(); // it ends in good order
        }
        ClusterNode next = new ClusterNode(node.number, this, random, profile, store, log);
        nodes.set(node.number, next);
        node.end();
        counts.add(node.registered.stats());
        next.start(node.left());
        counts.restarts++;
        for (int n = random.nextInt(24); n > 0; n--) {
            hurry(next);
        }
    }

    @Override
    public void wentOn() {
        counts.resumptions++;
    }

    // ---------------------------------------------------------------- checks

    private void check(ClusterNode node) {
        if (random.nextInt(8) == 0) {
            checkSeveral(node);
            return;
        }
        Before before = before(node, valueToAsk());
        checking = node;
        Verdict verdict = node.registered.registry().check(text(before), key(before), false, () -> false, null);
        checking = null;
        if (verdict.reason().filter(IdentifierRegistry.NEEDS_STORE::equals).isPresent()) {
            ask(node, before);
        } else {
            judge(node, before, verdict, clock);
        }
    }

    private void checkSeveral(ClusterNode node) {
        List<Before> before = new ArrayList<>();
        for (int size = 1 + random.nextInt(4); size > 0; size--) {
            before.add(before(node, valueToAsk()));
        }
        Verdict[] verdicts = new Verdict[before.size()];
        List<String> texts = before.stream().map(ClusterSimulation::text).toList();
        String[] keys = before.stream().map(ClusterSimulation::key).toArray(String[]::new);
        checking = node;
        node.registered.registry().allFromMemory(texts, keys, verdicts);
        checking = null;
        for (int i = 0; i < verdicts.length; i++) {
            if (verdicts[i] == null) {
                ask(node, before.get(i));
            } else {
                judge(node, before.get(i), verdicts[i], before.get(i).began());
            }
        }
    }

    private Before before(ClusterNode node, int value) {
        int key = SimulatedNames.keyOf(value) * SimulatedNames.SPELLINGS;
        return new Before(value, clock, oracle.before(node.number, value), oracle.before(node.number, key));
    }

    private static String text(Before before) {
        return SimulatedNames.text(before.value());
    }

    private static String key(Before before) {
        return SimulatedNames.keyText(SimulatedNames.keyOf(before.value()));
    }

    private void ask(ClusterNode node, Before before) {
        if (node.asked.size() < MAX_ASKED) {
            node.asked.add(
                    new ClusterNode.Asked(before, node.registered.registry().readAhead(text(before), key(before))));
            lastAsked[random.nextInt(lastAsked.length)] = SimulatedNames.keyOf(before.value());
        }
    }

    private int valueToAsk() {
        int spelling = random.nextInt(3) == 0 ? random.nextInt(SimulatedNames.SPELLINGS) : 0;
        return keyToAsk() * SimulatedNames.SPELLINGS + spelling;
    }

    private int keyToAsk() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> writers.hotKey();
            case 3, 4 -> lastAsked[random.nextInt(lastAsked.length)];
            default -> random.nextInt(profile.names());
        };
    }

    private void answer(ClusterNode node) {
        List<ClusterNode.Asked> answered = node.asked.stream()
                .filter(one -> one.question().isDone() && (finishing || random.nextInt(3) > 0))
                .toList();
        node.asked.removeAll(answered);
        for (ClusterNode.Asked one : answered) {
            judge(
                    node,
                    one.before(),
                    node.registered.registry().fromStore(one.question(), null),
                    one.before().began());
        }
    }

    /** @param said when the verdict was given, or earlier */
    private void judge(ClusterNode node, Before before, Verdict verdict, long said) {
        DecidedBy by = verdict.decidedBy();
        counts.checks += finishing ? 0 : 1;
        counts.decided[by.ordinal()] += finishing ? 0 : 1;
        trace.note(Note.VERDICT, by.ordinal(), before.value(), verdict.status());
        if (verdict.status() == Status.AVAILABLE) {
            counts.available += finishing ? 0 : 1;
            long news = said - profile.bound().toNanos();
            for (ClusterOracle.Before one : List.of(before.ofText(), before.ofKey())) {
                String objection = oracle.objection(one, by, node.latest, news);
                if (objection != null) {
                    violated("node " + node.number + ", by " + by + ": " + objection);
                }
            }
        } else if (verdict.status() == Status.TAKEN) {
            if (oracle.freeThroughout(before.ofText()) && oracle.freeThroughout(before.ofKey())) {
                violated("node " + node.number + " calls a name taken that was free throughout, by " + by);
            }
        } else {
            counts.unknown += finishing ? 0 : 1;
            if (!hasFailed && nodes.get(node.number) == node) {
                violated("node " + node.number + " knows nothing of a name although the store has never failed: "
                        + verdict.reason());
            }
        }
    }

    @Override
    public void within(ClusterNode node) {
        if (checking == node && !finishing && random.nextInt(4) == 0) {
            others(1 + random.nextInt(random.nextInt(8) == 0 ? 40 : 4));
        }
    }

    @Override
    public void await(Future<Void> answer, Duration atMost)
            throws ExecutionException, InterruptedException, TimeoutException {
        for (int i = 0; i < PATIENCE && !answer.isDone() && depth < MAX_DEPTH && violation == null; i++) {
            if (finishing || random.nextInt(4) > 0) {
                aside(this::hurry);
            } else {
                others(1);
            }
        }
        if (!answer.isDone()) {
            throw new TimeoutException();
        }
        answer.get();
    }

    /** What brings an answer nearer. */
    private void hurry() {
        hurry(nodes.get(random.nextInt(nodes.size())));
        resume();
    }

    private void hurry(ClusterNode node) {
        if (!node.isPaused()) {
            clock += random.nextInt(profile.pace());
            node.feed.step();
            question(node);
            if (node.rebuilds.canRun() && depth < MAX_DEPTH) {
                node.rebuilds.runNext();
            }
        }
    }

    // ---------------------------------------------------------------- the registries' threads

    private void startRead(ClusterNode node) {
        if (!node.queuedReads.isEmpty() && node.runningReads < 3) {
            node.runningReads++;
            begin(node.queuedReads.poll(), node, () -> node.runningReads--);
        }
    }

    private void question(ClusterNode node) {
        for (int n = 0; n < 2 && node.questions.canRun(); n++) { // the clock says that one is due, and it is asked
            begin(node.questions::runNext, node, () -> {});
        }
    }

    private void begin(Runnable task, ClusterNode node, Runnable ended) {
        if (!finishing && random.nextInt(100) < profile.percentStandingStill()) {
            goOn(new Standing(fibers.of(task), node, ended));
        } else {
            task.run();
            ended.run();
        }
    }

    private void resume() {
        if (!standing.isEmpty()) {
            int index = random.nextInt(standing.size());
            if (!standing.get(index).node().isPaused()) {
                goOn(standing.remove(index));
            }
        }
    }

    private void goOn(Standing task) {
        if (task.fiber().resume()) {
            task.ended().run();
        } else {
            counts.standing++;
            standing.add(task);
        }
    }

    // ---------------------------------------------------------------- around reads and questions

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
        if (!finishing && random.nextInt(profile.slowScans() ? 3 : 6) == 0) {
            others(1 + random.nextInt(profile.slowScans() ? 30 : 6));
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
    public boolean letPass() {
        if (finishing) {
            return true;
        }
        if (fibers.onFiber()) {
            fibers.standStill();
            return true;
        }
        int before = eventsLeft;
        others(1 + random.nextInt(3));
        return eventsLeft < before;
    }

    @Override
    public boolean atOnce() {
        return finishing || !fibers.onFiber() || random.nextBoolean();
    }

    @Override
    public void reading(String violationFound) {
        // How often one key is read at once is a matter of each node.
    }

    @Override
    public boolean fatally() {
        return random.nextInt(4) == 0;
    }

    @Override
    public boolean fails() {
        boolean fails = !finishing && random.nextInt(1000) < profile.failuresInThousand();
        hasFailed |= fails;
        return fails;
    }

    // ---------------------------------------------------------------- the end

    /** Everything comes to its end and is told; each node is ready again, and after one more scan it agrees with the table. */
    private void finish() {
        finishing = true;
        eventsLeft = 0;
        settle();
        writers.finish();
        for (int i = 0; i < 4; i++) {
            clock += Duration.ofMinutes(2).toNanos(); // a scan that failed is tried again
            settle();
        }
        for (int i = 0;
                i < 200
                        && nodes.stream()
                                .anyMatch(node ->
                                        node.registered.stats().underWay().lingering() > 0);
                i++) {
            clock += profile.bound().toNanos();
            settle();
        }
        for (ClusterNode node : nodes) {
            expect(
                    node.registered.state() == KindState.READY,
                    "node " + node.number + " never became ready again: "
                            + node.registered.stats().reason());
            node.registered.rescan();
        }
        settle();
        nodes.forEach(this::compare);
    }

    private void compare(ClusterNode node) {
        KindStats stats = node.registered.stats();
        expect(stats.underWay().open() == 0, stats.underWay().open() + " texts stay open");
        expect(stats.memory().entries() <= store.rows(), "more entries than rows after the last scan");
        for (int key = 0; key < profile.names() && violation == null; key++) {
            Before before = before(node, key * SimulatedNames.SPELLINGS + random.nextInt(SimulatedNames.SPELLINGS));
            Verdict verdict = node.registered.registry().check(text(before), key(before), false, () -> false, null);
            if (verdict.reason().isPresent()) {
                StoreAnswers.Question question = node.registered.registry().readAhead(text(before), key(before));
                settle();
                verdict = node.registered.registry().fromStore(question, null);
            }
            judge(node, before, verdict, clock);
            boolean taken = oracle.isTaken(before.ofText().slot())
                    || oracle.isTaken(before.ofKey().slot());
            Status right = taken ? Status.TAKEN : Status.AVAILABLE;
            expect(verdict.status() == right, "in the end a name is " + verdict.status() + ", not " + right);
        }
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            violated(otherwise);
        }
    }

    /** Runs what is queued or due until nothing is. */
    private void settle() {
        for (int i = 0; i < 100_000 && violation == null; i++) {
            nodes.forEach(node -> node.feed.finish());
            boolean rests = standing.isEmpty();
            resume();
            for (ClusterNode node : nodes) {
                rests &= node.queuedReads.isEmpty() && !node.rebuilds.canRun() && !node.questions.canRun();
                startRead(node);
                question(node);
                if (node.rebuilds.canRun()) {
                    node.rebuilds.runNext();
                }
                answer(node);
            }
            if (rests) {
                return;
            }
        }
        expect(violation != null, "the registries never come to rest");
    }
}

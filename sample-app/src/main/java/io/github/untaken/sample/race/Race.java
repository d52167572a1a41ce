package io.github.untaken.sample.race;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.experiment.AnswerClass;
import io.github.untaken.sample.experiment.DatabaseCheck;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.experiment.ExperimentChecks;
import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import io.github.untaken.sample.experiment.Mix;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.CheckTrace;
import io.github.untaken.sample.reads.CheckTraces;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Puts one endless list of checks to two lanes: one asks the database each time, the other asks the checker. One thread runs
 * them in step, a few checks each, and each time the other one first; so neither has a processor that the other lacks, and neither
 * has ever answered more than the other. The second lane begins each block of the list in its middle, so neither finds in the page
 * cache what the other has just read. It runs while somebody looks, waits while something else has the turn, and begins once memory
 * answers. Thread-safe.
 *
 * <p>The database is a file in this process. So that it can stand for one across a network, each question to it also waits for a
 * round trip, in both lanes alike.
 *
 * <p>An answer is wrong if it calls a name free that was seeded. Which ones were is known by arithmetic, not by a filter; only a
 * row that somebody has deleted meanwhile is looked up before it counts.
 */
public final class Race implements AutoCloseable {
    public static final int LEAST_RATE = 10;
    public static final int MOST_RATE = 1_000_000;
    public static final int RATE = 1_000;
    /** Microseconds. */
    public static final int MOST_ROUND_TRIP = 10_000;
    /** Microseconds: as between two machines of one data centre. */
    public static final int ROUND_TRIP = 500;

    private static final long SEED = 1;
    private static final int WARM_UP = 3_000;
    /** Checks; their pages are several times what the page cache holds. */
    private static final int BLOCK = 8_192;

    private static final long WATCHED_NANOS = 3_000_000_000L;
    private static final long TURN_NANOS = 10_000_000;
    /** Checks of one lane before it is the other's turn. */
    private static final int STEP = 8;

    private static final long PAUSE_NANOS = 4_000_000;
    private static final double KEPT_SECONDS = 0.1;

    private final AvailabilityChecker checker;
    private final CheckTraces traces;
    private final Experiment.Reader database;
    private final Experiment.Reader oracle;
    private final int users;
    private final Turn turn;
    private final BooleanSupplier databaseRuns;
    private final Thread thread = new Thread(this::run, "race");
    private volatile boolean closed;
    private volatile long watched;
    private volatile boolean everWatched;

    // guarded by this
    private Lane each;
    private Lane untaken;
    private int rate = RATE;
    private int roundTripMicros = ROUND_TRIP;
    private boolean warm;
    private boolean eachFirst;
    private double due;
    private long nanos;
    private long freeWhileStopped;

    /**
     * @param traces what the checker's reads are told to
     * @param database reads for the first lane
     * @param oracle reads the rows that answers called free, and that were seeded
     * @param users accounts the database was seeded with
     * @param turn of those who must not be disturbed
     * @param databaseRuns whether nobody has stopped it
     */
    public Race(
            AvailabilityChecker checker,
            CheckTraces traces,
            Experiment.Reader database,
            Experiment.Reader oracle,
            int users,
            Turn turn,
            BooleanSupplier databaseRuns) {
        this.checker = checker;
        this.traces = traces;
        this.database = database;
        this.oracle = oracle;
        this.users = users;
        this.turn = turn;
        this.databaseRuns = databaseRuns;
        this.each = lane(0, this::byDatabase);
        this.untaken = lane(BLOCK / 2, this::byChecker);
        thread.setDaemon(true);
    }

    private Lane lane(int first, Lane.Answerer answerer) {
        return new Lane(inBlocks(ExperimentChecks.endless(SEED, users, Mix.DEFAULT), first), answerer);
    }

    /** The same checks, each block of them from that place on and then from its beginning. */
    static <T> Supplier<T> inBlocks(Supplier<T> list, int first) {
        List<T> block = new ArrayList<>(BLOCK);
        int[] taken = {BLOCK};
        return () -> {
            if (taken[0] == BLOCK) {
                taken[0] = 0;
                block.clear();
                for (int i = 0; i < BLOCK; i++) {
                    block.add(list.get());
                }
            }
            return block.get((first + taken[0]++) % BLOCK);
        };
    }

    public void start() {
        thread.start();
    }

    /** Somebody looks: it runs for the next seconds. */
    public void watch() {
        watched = System.nanoTime();
        everWatched = true;
        LockSupport.unpark(thread);
    }

    /** So many checks a second in each lane, from {@link #LEAST_RATE} to {@link #MOST_RATE}, as far as it can. */
    public synchronized void setRate(int perSecond) {
        rate = perSecond;
    }

    /** Whoever asks the database waits so many microseconds besides, from 0 to {@link #MOST_ROUND_TRIP}. */
    public synchronized void setRoundTrip(int micros) {
        roundTripMicros = micros;
    }

    /** Both lanes go back to the start, and all counts to 0. */
    public synchronized void startOver() {
        each = lane(0, this::byDatabase);
        untaken = lane(BLOCK / 2, this::byChecker);
        due = 0;
        nanos = 0;
        freeWhileStopped = 0;
    }

    /** Whether memory has answered by now; whatever becomes of it later, the race goes on. */
    public synchronized boolean running() {
        return warm;
    }

    private void run() {
        long before = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            long passed = Math.min(now - before, WATCHED_NANOS);
            before = now;
            if (!everWatched || now - watched > WATCHED_NANOS || !ready()) {
                LockSupport.parkNanos(this, WATCHED_NANOS / 30);
                before = System.nanoTime();
            } else {
                boolean ran = turn.whileNobodyHasIt(() -> runBoth(passed));
                // A moment at least, for others who want the turn.
                LockSupport.parkNanos(this, ran && isBehind() ? PAUSE_NANOS / 40 : PAUSE_NANOS);
            }
        }
    }

    private synchronized boolean isBehind() {
        return due >= 1;
    }

    private boolean ready() {
        return running() || checker.kinds().stream().allMatch(kind -> checker.state(kind) == KindState.READY);
    }

    private synchronized void runBoth(long passed) {
        if (!warm) {
            each.warmUp(WARM_UP);
            untaken.warmUp(WARM_UP);
            warm = true;
            startOver();
            return;
        }
        due = Math.min(due + rate * (passed / 1e9), Math.max(1, rate * KEPT_SECONDS));
        nanos += passed;
        long deadline = System.nanoTime() + TURN_NANOS;
        while (due >= 1 && System.nanoTime() - deadline < 0) {
            int step = (int) Math.min(STEP, due);
            eachFirst = !eachFirst;
            (eachFirst ? each : untaken).run(step);
            (eachFirst ? untaken : each).run(step);
            due -= step;
        }
    }

    /** The way to the database and back, so many times. */
    private void travel(long times) {
        long until = System.nanoTime() + times * roundTripMicros * 1_000L;
        for (long left = until - System.nanoTime(); warm && left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private Lane.Answer byDatabase(Check check) {
        CheckReads.Sum before = database.reads().sum();
        long begun = System.nanoTime();
        AnswerClass answer = database.of(check).answer(check.text());
        CheckReads.Sum made = database.reads().sum().minus(before);
        travel(made.databaseQueries());
        long took = System.nanoTime() - begun;
        return new Lane.Answer(
                answer,
                took,
                new CheckTrace.Sum((int) made.databaseQueries(), 0, made.pageReads(), made.bytesRead()),
                answer == AnswerClass.RECHECK_FOUND_NOTHING && isSeeded(check) && isHeld(check));
    }

    private Lane.Answer byChecker(Check check) {
        long begun = System.nanoTime();
        boolean stopped = !databaseRuns.getAsBoolean();
        Verdict verdict = checker.check(check.kind(), check.text());
        CheckTrace.Sum cost = traces.take(begun);
        // What got no answer has been on its way, too.
        travel(verdict.decidedBy() == Verdict.DecidedBy.STORE ? Math.max(1, cost.queries()) : 0);
        long took = System.nanoTime() - begun;
        freeWhileStopped += stopped && verdict.available() ? 1 : 0;
        return new Lane.Answer(
                Experiment.answerClass(verdict), took, cost, verdict.available() && isSeeded(check) && isHeld(check));
    }

    private boolean isSeeded(Check check) {
        int index = check.kind().equals(IdentifierKind.PHONE)
                ? MadeUpAccounts.indexOfPhone(check.text())
                : MadeUpAccounts.indexOf(check.text());
        return index >= 0
                && index < users
                && (!check.kind().equals(IdentifierKind.PHONE) || MadeUpAccounts.hasPhone(index));
    }

    /** What nobody can tell counts as held. */
    private boolean isHeld(Check check) {
        DatabaseCheck table = oracle.of(check);
        return table.read(check.text()) != AnswerClass.RECHECK_FOUND_NOTHING;
    }

    /** Checks of both lanes, and what the second one's answers were. */
    public synchronized Map<String, Object> json() {
        long now = System.nanoTime();
        Map<String, Object> lanes = new LinkedHashMap<>();
        lanes.put("database", each.json(now));
        lanes.put("untaken", untaken.json(now));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("running", warm);
        body.put("rate", rate);
        body.put("seconds", nanos / 1e9);
        body.put("users", users);
        body.put("roundTripMicros", roundTripMicros);
        body.put("checks", untaken.passed());
        body.put("free", untaken.free());
        body.put("queriesOfFree", untaken.queriesOfFree());
        body.put("taken", untaken.taken());
        body.put("freeWhileStopped", freeWhileStopped);
        body.put("withoutDatabase", untaken.fromMemory());
        body.put("wrong", untaken.wrong() + each.wrong());
        body.put("lanes", lanes);
        return body;
    }

    /** Returns once its thread asks nothing any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

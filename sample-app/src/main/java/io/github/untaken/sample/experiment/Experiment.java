package io.github.untaken.sample.experiment;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import io.github.untaken.sample.reads.CheckReads;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays one list of checks three times: each by a database read; through the membership filter, with a read wherever it
 * says maybe; and through the checker as a site uses it, whitelist included. The three take turns, a part of the list at a time
 * and each round another one first, so that neither a cold machine nor a warm page cache is for one of them only. Thread-safe;
 * one runs at a time.
 */
public final class Experiment {

    /**
     * How far the one that runs is.
     *
     * @param mode what is being replayed
     * @param done checks answered of all replays together
     * @param total checks of all replays together
     */
    public record Progress(Mode mode, int done, int total) {}

    /**
     * How a replay reads the store past the checker.
     *
     * @param checks one for each kind
     * @param reads what their store reads are counted by
     */
    public record Reader(Map<IdentifierKind, DatabaseCheck> checks, CheckReads reads) {
        public Reader {
            checks = Map.copyOf(checks);
        }

        public DatabaseCheck of(Check check) {
            DatabaseCheck found = checks.get(check.kind());
            if (found == null) {
                throw new IllegalStateException("no database check for kind " + check.kind());
            }
            return found;
        }
    }

    /** Somebody asked to stop. */
    public static final class CancelledException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final String NAME = "experiment";
    /** A multiple of the modes, so that each comes first equally often. */
    static final int ROUNDS = 9;

    private final AvailabilityChecker checker;
    private final CheckReads checkerReads;
    private final Reader withoutFilter;
    private final Reader behindFilter;
    private final LongSupplier checksOfSite;
    private final int users;
    private final Turn turn;
    private final Readiness readiness;
    private volatile boolean closed;
    private volatile boolean cancelled;
    private volatile @Nullable Progress progress;
    private volatile @Nullable Result last;

    /**
     * @param checkerReads what the checker's store reads are counted by
     * @param withoutFilter answers everything from the store
     * @param behindFilter reads the store where the membership filter says maybe
     * @param checksOfSite all checks answered so far
     * @param users accounts the database was seeded with
     * @param turn taken while one runs
     * @param readiness told of each change of a registry's state
     */
    public Experiment(
            AvailabilityChecker checker,
            CheckReads checkerReads,
            Reader withoutFilter,
            Reader behindFilter,
            LongSupplier checksOfSite,
            int users,
            Turn turn,
            Readiness readiness) {
        this.checker = checker;
        this.checkerReads = checkerReads;
        this.withoutFilter = withoutFilter;
        this.behindFilter = behindFilter;
        this.checksOfSite = checksOfSite;
        this.users = users;
        this.turn = turn;
        this.readiness = readiness;
    }

    /** Claims the turn; false if an experiment, or something else that is long, runs already. */
    public synchronized boolean begin() {
        if (!turn.take(NAME)) {
            return false;
        }
        cancelled = closed;
        return true;
    }

    /** Gives the place back. */
    public synchronized void end() {
        progress = null;
        turn.leave();
    }

    /** Ends the one that runs after the check it is at; false if none runs. */
    public synchronized boolean cancel() {
        boolean running = turn.isOf(NAME);
        cancelled |= running;
        return running;
    }

    /** Cancels this one and every later one. */
    public synchronized void close() {
        closed = true;
        cancelled = true;
        readiness.changed();
    }

    /** How far it is; empty if none runs. */
    public Optional<Progress> progress() {
        return Optional.ofNullable(progress);
    }

    /** The last that was not cancelled. */
    public Optional<Result> last() {
        return Optional.ofNullable(last);
    }

    /** Returns when all registries answer from memory; cancelled by {@link #close}. */
    public void awaitReady() throws InterruptedException, CancelledException {
        readiness.await(() -> closed || ready());
        if (closed) {
            throw new CancelledException();
        }
    }

    private boolean ready() {
        return checker.kinds().stream().allMatch(kind -> checker.state(kind) == KindState.READY);
    }

    /** Between {@link #begin} and {@link #end}. Blocks until all is replayed. */
    public Result run(long seed, int count, Mix mix) throws CancelledException {
        List<Check> checks = ExperimentChecks.list(seed, count, users, mix);
        checker.kinds().forEach(checker::clearWhitelist); // an earlier experiment's findings would flatter this one
        boolean ready = ready();
        Replay behind = new Replay(Mode.MEMBERSHIP_FILTER, behindFilter.reads(), this::byFilter);
        List<Replay> replays = List.of(
                new Replay(Mode.NO_FILTER, withoutFilter.reads(), this::byDatabase),
                behind,
                new Replay(Mode.FILTER_AND_WHITELIST, checkerReads, this::byChecker));
        replayAll(checks, replays);
        Set<Check> free = new HashSet<>();
        Set<Check> falseAlarms = new HashSet<>();
        behind.forEach((check, answer) -> {
            if (answer == AnswerClass.FREE_BY_FILTER || answer == AnswerClass.RECHECK_FOUND_NOTHING) {
                free.add(check);
            }
            if (answer == AnswerClass.RECHECK_FOUND_NOTHING) {
                falseAlarms.add(check);
            }
        });
        long bytes = 0;
        long entries = 0;
        for (IdentifierKind kind : checker.kinds()) {
            bytes += checker.stats(kind).memory().bytes();
            entries += checker.stats(kind).memory().entries();
        }
        Result result = new Result(
                new Result.Plan(seed, count, users, mix),
                ready,
                replays.stream().map(Replay::run).toList(),
                new Result.FalsePositives(free.size(), falseAlarms.size()),
                bytes,
                entries);
        last = result;
        return result;
    }

    /** In a round each takes another part, so that none finds in the page cache what the one before it has just read. */
    private void replayAll(List<Check> checks, List<Replay> replays) throws CancelledException {
        int all = replays.size();
        int done = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < all; i++) {
                int which = (round + i) % all;
                int part = (round + which * (ROUNDS / all)) % ROUNDS;
                int from = (int) ((long) checks.size() * part / ROUNDS);
                int to = (int) ((long) checks.size() * (part + 1) / ROUNDS);
                replay(replays.get(which), checks.subList(from, to), done, all * checks.size());
                done += to - from;
            }
        }
    }

    private void replay(Replay replay, List<Check> checks, int doneBefore, int total) throws CancelledException {
        long asked = checksOfSite.getAsLong();
        replay.begin();
        for (int i = 0; i < checks.size(); i++) {
            if (i % 256 == 0) {
                progress = new Progress(replay.mode(), doneBefore + i, total);
            }
            if (cancelled) {
                throw new CancelledException();
            }
            replay.ask(checks.get(i));
        }
        replay.end();
        long own = replay.mode() == Mode.NO_FILTER ? 0 : checks.size();
        replay.others(checksOfSite.getAsLong() - asked - own);
    }

    private AnswerClass byDatabase(Check check) {
        return withoutFilter.of(check).answer(check.text());
    }

    private AnswerClass byFilter(Check check) {
        Verdict verdict = checker.checkInMemory(check.kind(), check.text());
        return switch (verdict.decidedBy()) {
            case STORE, WHITELIST -> behindFilter.of(check).read(verdict.key());
            default -> answerClass(verdict);
        };
    }

    private AnswerClass byChecker(Check check) {
        return answerClass(checker.check(check.kind(), check.text()));
    }

    /** How the checker came to its answer. */
    public static AnswerClass answerClass(Verdict verdict) {
        if (verdict.status() == Status.UNKNOWN) {
            return AnswerClass.UNKNOWN;
        }
        return switch (verdict.decidedBy()) {
            case NORMALIZER, RESERVED_LIST -> AnswerClass.REFUSED;
            case WHITELIST -> AnswerClass.FREE_BY_WHITELIST;
            case FILTER -> AnswerClass.FREE_BY_FILTER;
            case STORE -> verdict.available() ? AnswerClass.RECHECK_FOUND_NOTHING : AnswerClass.RECHECK_FOUND;
        };
    }
}

package io.github.untaken.sample.experiment;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.ProcessIo;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays one list of checks three times: each by a database read; through the membership filter, with a read wherever it
 * says maybe; and through the checker as a site uses it, whitelist included. Thread-safe; one runs at a time.
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

        private DatabaseCheck of(Check check) {
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
        List<Run> runs = new ArrayList<>();
        runs.add(replay(Mode.NO_FILTER, 0, checks, this::byDatabase, (check, answer) -> {}));
        checker.kinds().forEach(checker::clearWhitelist); // an earlier experiment's findings would flatter this one
        boolean ready = ready();
        Set<Check> free = new HashSet<>();
        Set<Check> falseAlarms = new HashSet<>();
        runs.add(replay(Mode.MEMBERSHIP_FILTER, count, checks, this::byFilter, (check, answer) -> {
            if (answer == AnswerClass.FREE_BY_FILTER || answer == AnswerClass.RECHECK_FOUND_NOTHING) {
                free.add(check);
            }
            if (answer == AnswerClass.RECHECK_FOUND_NOTHING) {
                falseAlarms.add(check);
            }
        }));
        runs.add(replay(Mode.FILTER_AND_WHITELIST, 2 * count, checks, this::byChecker, (check, answer) -> {}));
        long bytes = 0;
        long entries = 0;
        for (IdentifierKind kind : checker.kinds()) {
            bytes += checker.stats(kind).bytes();
            entries += checker.stats(kind).entries();
        }
        Result result = new Result(
                seed,
                count,
                mix,
                users,
                ready,
                List.copyOf(runs),
                new Result.FalsePositives(free.size(), falseAlarms.size()),
                bytes,
                entries);
        last = result;
        return result;
    }

    private Run replay(
            Mode mode,
            int doneBefore,
            List<Check> checks,
            Function<Check, AnswerClass> how,
            BiConsumer<Check, AnswerClass> told)
            throws CancelledException {
        CheckReads reads = switch (mode) {
            case NO_FILTER -> withoutFilter.reads();
            case MEMBERSHIP_FILTER -> behindFilter.reads();
            case FILTER_AND_WHITELIST -> checkerReads;
        };
        List<AnswerClass> answers = new ArrayList<>(checks.size());
        long asked = checksOfSite.getAsLong();
        CheckReads.Sum before = reads.sum();
        Optional<ProcessIo> ioBefore = ProcessIo.now();
        int total = Mode.values().length * checks.size();
        long begun = System.nanoTime();
        for (int i = 0; i < checks.size(); i++) {
            if (i % 256 == 0) {
                progress = new Progress(mode, doneBefore + i, total);
            }
            if (cancelled) {
                throw new CancelledException();
            }
            answers.add(how.apply(checks.get(i)));
        }
        long nanos = System.nanoTime() - begun;
        Optional<ProcessIo> io = ioBefore.flatMap(earlier -> ProcessIo.now().map(now -> now.minus(earlier)));
        CheckReads.Sum made = reads.sum().minus(before);
        long own = mode == Mode.NO_FILTER ? 0 : checks.size();
        long others = checksOfSite.getAsLong() - asked - own;
        Map<AnswerClass, Integer> classes = new EnumMap<>(AnswerClass.class);
        for (int i = 0; i < answers.size(); i++) {
            classes.merge(answers.get(i), 1, Integer::sum);
            told.accept(checks.get(i), answers.get(i));
        }
        return new Run(mode, made, others, (double) nanos / checks.size(), classes, io);
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

    private static AnswerClass answerClass(Verdict verdict) {
        if (verdict.status() == Status.UNKNOWN) {
            return AnswerClass.UNKNOWN;
        }
        return switch (verdict.decidedBy()) {
            case NORMALIZER, RESERVED_LIST -> AnswerClass.REFUSED;
            case PENDING -> AnswerClass.PENDING;
            case WHITELIST -> AnswerClass.FREE_BY_WHITELIST;
            case FILTER -> verdict.available() ? AnswerClass.FREE_BY_FILTER : AnswerClass.RECHECK_FOUND;
            case STORE -> verdict.available() ? AnswerClass.RECHECK_FOUND_NOTHING : AnswerClass.RECHECK_FOUND;
        };
    }
}

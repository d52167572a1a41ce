package io.github.untaken.sample;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.RegistryState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.IdentifierKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Replays one list of checks twice: each by a store read, then by the checker. Everything reported was counted during the
 * run; nothing is estimated. Thread-safe.
 */
final class Experiment {

    /** How a check was answered. */
    enum AnswerClass {
        /** By the membership filter: nobody holds it. */
        FREE_BY_FILTER,
        /** By the whitelist: the filter said maybe, an earlier read had proved it free. */
        FREE_BY_WHITELIST,
        /** By a store read that found it. */
        RECHECK_FOUND,
        /** By a store read that found nothing; with the filter on, a false positive of the filter. */
        RECHECK_FOUND_NOTHING,
        /** By a registration under way. */
        PENDING,
        /** By the rules: reserved or not allowed. Neither run reads anything for these. */
        REFUSED,
        /** Not at all: the database did not answer. */
        UNKNOWN
    }

    /**
     * One replay.
     *
     * @param mode {@code membershipFilterOff} or {@code membershipFilterOn}
     * @param reads what was read; with the filter on that is for all checks of the site, so others' are in it
     * @param otherChecks how many checks of others there were during the run
     * @param nanosPerCheck mean time, in nanoseconds
     */
    record Run(
            String mode,
            CheckReads.Sum reads,
            long otherChecks,
            double nanosPerCheck,
            Map<AnswerClass, Integer> classes) {}

    /**
     * Both replays.
     *
     * @param state of the registry when the second began; only {@code READY} says what the filter can do
     */
    record Result(long seed, int checks, RegistryState state, List<Run> runs) {}

    private final IdentifierKind kind;
    private final AvailabilityChecker checker;
    private final CheckReads checkerReads;
    private final DatabaseCheck database;
    private final CheckReads databaseReads;
    private final int users;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * @param checkerReads what the checker's store reads are counted by
     * @param databaseReads what those of {@code database} are counted by
     * @param users accounts the database was seeded with
     */
    Experiment(
            IdentifierKind kind,
            AvailabilityChecker checker,
            CheckReads checkerReads,
            DatabaseCheck database,
            CheckReads databaseReads,
            int users) {
        this.kind = kind;
        this.checker = checker;
        this.checkerReads = checkerReads;
        this.database = database;
        this.databaseReads = databaseReads;
        this.users = users;
    }

    /** Claims the only place there is; false if an experiment runs already. */
    boolean begin() {
        return running.compareAndSet(false, true);
    }

    /** Gives the place back. */
    void end() {
        running.set(false);
    }

    Result run(long seed, int checks) {
        List<String> texts = ExperimentChecks.texts(seed, checks, users);
        Run off = replay("membershipFilterOff", texts, database::answer, databaseReads, 0);
        checker.clearWhitelist(kind); // an earlier experiment's findings would flatter this one
        RegistryState state = checker.state(kind);
        Run on = replay(
                "membershipFilterOn", texts, text -> answerClass(checker.check(kind, text)), checkerReads, checks);
        return new Result(seed, checks, state, List.of(off, on));
    }

    private Run replay(
            String mode, List<String> texts, Function<String, AnswerClass> check, CheckReads reads, int ownChecks) {
        Map<AnswerClass, Integer> classes = new EnumMap<>(AnswerClass.class);
        long asked = checker.stats(kind).checks();
        CheckReads.Sum before = reads.sum();
        long begun = System.nanoTime();
        for (String text : texts) {
            classes.merge(check.apply(text), 1, Integer::sum);
        }
        long nanos = System.nanoTime() - begun;
        CheckReads.Sum made = reads.sum().minus(before);
        long others = checker.stats(kind).checks() - asked - ownChecks;
        return new Run(mode, made, others, (double) nanos / texts.size(), classes);
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

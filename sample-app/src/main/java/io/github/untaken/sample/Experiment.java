package io.github.untaken.sample;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.RegistryState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Replays one list of checks twice: each by a store read, then by the checker. Everything reported was counted during the
 * run; nothing is estimated.
 *
 * <p>The first run reads through the same stores on the calling thread, without the hop to the registry's threads and
 * without normalising, which was done before: what it leaves out makes it look better, not worse.
 */
final class Experiment {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

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
    private final List<RegisteredIdentifierStore> stores;
    private final CheckReads storeReads;
    private final CheckReads checkReads;
    private final int users;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * @param stores of the kind, counted by {@code storeReads}
     * @param checkReads what the checker's own reads are counted by
     * @param users accounts the database was seeded with
     */
    Experiment(
            IdentifierKind kind,
            AvailabilityChecker checker,
            List<RegisteredIdentifierStore> stores,
            CheckReads storeReads,
            CheckReads checkReads,
            int users) {
        this.kind = kind;
        this.checker = checker;
        this.stores = List.copyOf(stores);
        this.storeReads = storeReads;
        this.checkReads = checkReads;
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
        List<Verdict> rules = new ArrayList<>(checks);
        for (String text : texts) {
            rules.add(checker.checkInMemory(kind, text)); // for its key and for what the rules refuse
        }
        Run off = replay("membershipFilterOff", storeReads, 0, checks, i -> fromStore(rules.get(i)));
        checker.clearWhitelist(kind); // an earlier experiment's findings would flatter this one
        RegistryState state = checker.state(kind);
        Run on = replay(
                "membershipFilterOn", checkReads, checks, checks, i -> answerClass(checker.check(kind, texts.get(i))));
        return new Result(seed, checks, state, List.of(off, on));
    }

    private interface Check {
        AnswerClass answer(int index);
    }

    private Run replay(String mode, CheckReads reads, int ownChecks, int checks, Check check) {
        AnswerClass[] answers = new AnswerClass[checks];
        long asked = checker.stats(kind).checks();
        CheckReads.Sum before = reads.sum();
        long begun = System.nanoTime();
        for (int i = 0; i < checks; i++) {
            answers[i] = check.answer(i);
        }
        long nanos = System.nanoTime() - begun;
        CheckReads.Sum made = reads.sum().minus(before);
        long others = checker.stats(kind).checks() - asked - ownChecks;
        Map<AnswerClass, Integer> classes = new EnumMap<>(AnswerClass.class);
        for (AnswerClass answer : answers) {
            classes.merge(answer, 1, Integer::sum);
        }
        return new Run(mode, made, others, (double) nanos / checks, classes);
    }

    private AnswerClass fromStore(Verdict rules) {
        if (rules.status() == Status.INVALID || rules.status() == Status.RESERVED) {
            return AnswerClass.REFUSED;
        }
        try {
            for (RegisteredIdentifierStore store : stores) {
                if (store.exists(rules.key(), TIMEOUT)) {
                    return AnswerClass.RECHECK_FOUND;
                }
            }
            return AnswerClass.RECHECK_FOUND_NOTHING;
        } catch (StoreException e) {
            return AnswerClass.UNKNOWN;
        }
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

    /** The name of a class of answers as it stands in JSON, such as {@code freeByFilter}. */
    static String jsonName(AnswerClass answer) {
        StringBuilder name = new StringBuilder();
        for (String word : answer.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}

package io.github.untaken.sample.race;

import io.github.untaken.sample.experiment.AnswerClass;
import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import io.github.untaken.sample.reads.CheckTrace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** One of the two who race: its place in the list of checks, and what they cost it. Used under the lock of the race. */
final class Lane {
    /** Nanoseconds that latencies and rates are gathered for before the next stretch begins. */
    static final long STRETCH_NANOS = 500_000_000;

    private static final int STRETCHES = 20;
    /** Whole stretches that a rate is the mean of. */
    private static final int RECENT = 2;

    /** Answers one check, and says how and at what cost. */
    interface Answerer {
        Answer answer(Check check);
    }

    /**
     * An answer.
     *
     * @param nanos what it took
     * @param wrong whether it called a name free that somebody has
     */
    record Answer(AnswerClass by, long nanos, CheckTrace.Sum cost, boolean wrong) {}

    private static final class Stretch {
        final Latencies latencies = new Latencies();
        long begun;
        long answered;
        long fromMemory;
        long unanswered;
    }

    private final Supplier<Check> checks;
    private final Answerer answerer;
    private final Deque<Stretch> stretches = new ArrayDeque<>();
    private double due;
    private long asked;
    private long refused;
    private long fromMemory;
    private long unanswered;
    private long wrong;
    private long queries;
    private long pageReads;

    Lane(Supplier<Check> checks, Answerer answerer) {
        this.checks = checks;
        this.answerer = answerer;
    }

    /** Asks so many that do not count, so that both are run by compiled code when the race begins. */
    void warmUp(int count) {
        for (int i = 0; i < count; i++) {
            answerer.answer(checks.get());
        }
    }

    /** So many more are to be asked; of a backlog only so many are kept. */
    void allow(double more, double most) {
        due = Math.min(due + more, most);
    }

    boolean isBehind() {
        return due >= 1;
    }

    /** Asks what is due, for no longer than until then. */
    void run(long deadline) {
        for (long now = System.nanoTime(); due >= 1 && now - deadline < 0; now = System.nanoTime()) {
            due--;
            count(answerer.answer(checks.get()), now);
        }
    }

    private void count(Answer answer, long now) {
        Stretch stretch = stretch(now);
        asked++;
        wrong += answer.wrong() ? 1 : 0;
        switch (answer.by()) {
            case REFUSED -> {
                refused++;
                return; // the rules' answers cost no read on any site
            }
            case UNKNOWN -> {
                unanswered++;
                stretch.unanswered++;
                return; // nor has it cost anything that came
            }
            case FREE_BY_FILTER, FREE_BY_WHITELIST -> {
                fromMemory++;
                stretch.fromMemory++;
            }
            case RECHECK_FOUND, RECHECK_FOUND_NOTHING -> {}
        }
        queries += answer.cost().queries();
        pageReads += answer.cost().pageReads();
        stretch.answered++;
        stretch.latencies.add(answer.nanos());
    }

    private Stretch stretch(long now) {
        Stretch last = stretches.peekLast();
        if (last == null || now - last.begun >= STRETCH_NANOS) {
            last = new Stretch();
            last.begun = now;
            stretches.addLast(last);
            if (stretches.size() > STRETCHES) {
                stretches.removeFirst();
            }
        }
        return last;
    }

    long asked() {
        return asked;
    }

    /** Those that the rules did not answer. */
    long passed() {
        return asked - refused;
    }

    long fromMemory() {
        return fromMemory;
    }

    long wrong() {
        return wrong;
    }

    Map<String, Object> json(long now) {
        Latencies latencies = new Latencies();
        long answered = 0;
        long memory = 0;
        long failed = 0;
        long since = now;
        int whole = stretches.size() - 1;
        int place = 0;
        for (Stretch stretch : stretches) {
            latencies.add(stretch.latencies);
            boolean recent = place >= whole - RECENT || now - stretch.begun < (RECENT + 1) * STRETCH_NANOS;
            if (recent) {
                since = Math.min(since, stretch.begun);
                answered += stretch.answered;
                memory += stretch.fromMemory;
                failed += stretch.unanswered;
            }
            place++;
        }
        double seconds = Math.max(STRETCH_NANOS, now - since) / 1e9;
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("asked", asked);
        body.put("passed", passed());
        body.put("fromMemory", fromMemory);
        body.put("unanswered", unanswered);
        body.put("queries", queries);
        body.put("pageReads", pageReads);
        body.put("perSecond", answered / seconds);
        body.put("memoryPerSecond", memory / seconds);
        body.put("unansweredPerSecond", failed / seconds);
        body.put("p50Micros", latencies.micros(0.5));
        body.put("p99Micros", latencies.micros(0.99));
        body.put("histogram", latencies.counts());
        return body;
    }
}

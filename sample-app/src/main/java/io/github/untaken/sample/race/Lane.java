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
        final Latencies free = new Latencies();
        final Latencies taken = new Latencies();
        long begun;
        long busyNanos;
        long fromMemory;
        long unanswered;

        long answered() {
            return free.count() + taken.count();
        }
    }

    /** Answers of one sort since the start, and the queries that they have cost. */
    private static final class Sort {
        long answers;
        long queries;

        void add(Answer answer) {
            answers++;
            queries += answer.cost().queries();
        }
    }

    private final Supplier<Check> checks;
    private final Answerer answerer;
    private final Deque<Stretch> stretches = new ArrayDeque<>();
    private final Sort free = new Sort();
    private final Sort taken = new Sort();
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

    /** Asks so many. */
    void run(int count) {
        for (int i = 0; i < count; i++) {
            long now = System.nanoTime();
            count(answerer.answer(checks.get()), now);
        }
    }

    private void count(Answer answer, long now) {
        Stretch stretch = stretch(now);
        asked++;
        wrong += answer.wrong() ? 1 : 0;
        if (answer.by() == AnswerClass.REFUSED) {
            refused++;
            return; // the rules' answers cost no read on any site
        }
        stretch.busyNanos += answer.nanos();
        if (answer.by() == AnswerClass.UNKNOWN) {
            unanswered++;
            stretch.unanswered++;
            return; // nor has it cost anything that came
        }
        queries += answer.cost().queries();
        pageReads += answer.cost().pageReads();
        if (answer.by() == AnswerClass.RECHECK_FOUND) {
            taken.add(answer);
            stretch.taken.add(answer.nanos());
        } else {
            free.add(answer);
            stretch.free.add(answer.nanos());
        }
        if (answer.by() == AnswerClass.FREE_BY_FILTER || answer.by() == AnswerClass.FREE_BY_WHITELIST) {
            fromMemory++;
            stretch.fromMemory++;
        }
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

    /** Those called free. */
    long free() {
        return free.answers;
    }

    /** Queries that the answers cost which called a name free. */
    long queriesOfFree() {
        return free.queries;
    }

    long taken() {
        return taken.answers;
    }

    Map<String, Object> json(long now) {
        Latencies freeTimes = new Latencies();
        Latencies takenTimes = new Latencies();
        long answered = 0;
        long busy = 0;
        long memory = 0;
        long failed = 0;
        long since = now;
        int whole = stretches.size() - 1;
        int place = 0;
        for (Stretch stretch : stretches) {
            freeTimes.add(stretch.free);
            takenTimes.add(stretch.taken);
            boolean recent = place >= whole - RECENT || now - stretch.begun < (RECENT + 1) * STRETCH_NANOS;
            if (recent) {
                since = Math.min(since, stretch.begun);
                answered += stretch.answered();
                busy += stretch.busyNanos;
                memory += stretch.fromMemory;
                failed += stretch.unanswered;
            }
            place++;
        }
        double seconds = Math.max(STRETCH_NANOS, now - since) / 1e9;
        Latencies all = new Latencies();
        all.add(freeTimes);
        all.add(takenTimes);
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
        body.put("perThreadSecond", busy == 0 ? Double.NaN : 1e9 * answered / busy);
        body.put("free", json(free, freeTimes));
        body.put("taken", json(taken, takenTimes));
        body.put("histogram", all.counts());
        return body;
    }

    private static Map<String, Object> json(Sort sort, Latencies times) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("answers", sort.answers);
        body.put("queries", sort.queries);
        body.put("p50Micros", times.micros(0.5));
        body.put("p99Micros", times.micros(0.99));
        return body;
    }
}

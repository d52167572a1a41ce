package io.github.untaken.sample.reads;

import io.github.untaken.StoreRead;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tells what each single check cost the database, although its store read runs on a thread of the registry: a check that asks the
 * store leaves a trace, the read names the traces of all who wait for it, and each is credited with the whole of it. So the figures are
 * never too low. Thread-safe.
 */
public final class CheckTraces {
    /** Of one thread, the oldest go first: a check that nobody asks about, such as one of the experiment, leaves its trace too. */
    private static final int MOST_OF_A_THREAD = 16;

    private final CheckReads reads;
    private final ThreadLocal<Deque<CheckTrace>> here = ThreadLocal.withInitial(ArrayDeque::new);
    private final ThreadLocal<FileReads.Count> counted = ThreadLocal.withInitial(() -> new FileReads.Count(0, 0, 0));

    /** @param reads what all store reads are counted by */
    public CheckTraces(CheckReads reads) {
        this.reads = reads;
    }

    /** A check on the calling thread asks the store. */
    public Object asked() {
        CheckTrace trace = new CheckTrace();
        Deque<CheckTrace> mine = here.get();
        if (mine.size() == MOST_OF_A_THREAD) {
            mine.remove();
        }
        mine.add(trace);
        return trace;
    }

    /** The calling thread, which does nothing else than such reads, has asked the store. */
    public void read(StoreRead read) {
        FileReads.Count now = FileReads.ofThisThread();
        FileReads.Count made = now.minus(counted.get());
        counted.set(now);
        reads.add(made);
        for (Object asker : read.askers()) {
            if (asker instanceof CheckTrace trace) {
                trace.read(made);
            }
        }
    }

    /** What the checks cost that asked the store on the calling thread since then, in {@link System#nanoTime}; they are forgotten. */
    public CheckTrace.Sum take(long sinceNanos) {
        CheckTrace.Sum sum = CheckTrace.Sum.NONE;
        Deque<CheckTrace> mine = here.get();
        for (CheckTrace trace = mine.poll(); trace != null; trace = mine.poll()) {
            if (trace.begunNanos - sinceNanos >= 0) {
                sum = sum.plus(trace.sum());
            }
        }
        return sum;
    }
}

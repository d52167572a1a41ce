package io.github.untaken.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a {@link Load} has counted. Thread-safe. */
final class Tally {
    private static final int TOLD = 20;

    private long commits; // guarded by this, as all below
    private long failedWrites;
    private long asked;
    private long unknown;
    private long unanswered;
    private long freeAsked;
    private long freeFromMemory;
    private long falseLatest;
    private long falseBounded;
    private final List<String> faults = new ArrayList<>();
    private long[] untilTaken = new long[1024];
    private int measured;

    synchronized void committed() {
        commits++;
    }

    synchronized void failedWrite() {
        failedWrites++;
    }

    /** One answer about a name that is committed, in one mode. */
    synchronized void asked(boolean isUnknown) {
        asked++;
        if (isUnknown) {
            unknown++;
        }
    }

    synchronized void unanswered() {
        unanswered++;
    }

    synchronized void askedFree(boolean fromMemory) {
        freeAsked++;
        if (fromMemory) {
            freeFromMemory++;
        }
    }

    /** A name that was committed before the question was called available. */
    synchronized void falseLatest(String what) {
        falseLatest++;
        fault("latest: " + what);
    }

    /** Likewise, and committed longer ago than the bound. */
    synchronized void falseBounded(String what) {
        falseBounded++;
        fault("bounded: " + what);
    }

    private void fault(String what) {
        if (faults.size() < TOLD) {
            faults.add(what);
        }
    }

    /** From a commit's return to a node's first answer, in bounded mode, that is not "available". */
    synchronized void untilTaken(long nanos) {
        if (measured == untilTaken.length) {
            untilTaken = Arrays.copyOf(untilTaken, 2 * measured);
        }
        untilTaken[measured++] = nanos;
    }

    synchronized long commits() {
        return commits;
    }

    synchronized long falseAvailable() {
        return falseLatest + falseBounded;
    }

    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    synchronized long answered() {
        return asked - unknown;
    }

    synchronized double freeFromMemory() {
        return freeAsked == 0 ? 0 : (double) freeFromMemory / freeAsked;
    }

    /** @param share from 0 to 1; 1 for the slowest */
    synchronized Duration quantile(double share) {
        long[] sorted = Arrays.copyOf(untilTaken, measured);
        Arrays.sort(sorted);
        return measured == 0 ? Duration.ZERO : Duration.ofNanos(sorted[(int) Math.min(measured - 1, measured * share)]);
    }

    @Override
    public synchronized String toString() {
        return String.format(
                Locale.ROOT,
                "%d commits (%d failed), %d answers about committed names: %d false in latest mode, %d false beyond the bound,"
                        + " %d unknown, %d requests without an answer; bounded, commit to taken: p50 %.1f, p99 %.1f, p99.9 %.1f, max %.1f ms;"
                        + " free names from memory: %.1f %% of %d",
                commits,
                failedWrites,
                asked,
                falseLatest,
                falseBounded,
                unknown,
                unanswered,
                quantile(0.5).toNanos() / 1e6,
                quantile(0.99).toNanos() / 1e6,
                quantile(0.999).toNanos() / 1e6,
                quantile(1).toNanos() / 1e6,
                100 * freeFromMemory(),
                freeAsked);
    }
}

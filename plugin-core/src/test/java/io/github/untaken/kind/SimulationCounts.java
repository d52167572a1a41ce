package io.github.untaken.kind;

import io.github.untaken.KindStats;
import io.github.untaken.Verdict;

/** How much happened, to see that a run was not about nothing. */
final class SimulationCounts {
    final long[] decided = new long[Verdict.DecidedBy.values().length];
    long checks;
    long available;
    long unknown;
    long swaps;
    long misses;
    long standing;
    long refusedReads;
    long restarts;
    long resumptions;
    long renewals;
    long storeReads;
    Throwable thrown;

    void add(KindStats stats) {
        renewals += stats.memory().renewals();
        storeReads += stats.reads().made();
    }

    void add(SimulationCounts other) {
        for (int i = 0; i < decided.length; i++) {
            decided[i] += other.decided[i];
        }
        checks += other.checks;
        available += other.available;
        unknown += other.unknown;
        swaps += other.swaps;
        misses += other.misses;
        standing += other.standing;
        refusedReads += other.refusedReads;
        restarts += other.restarts;
        resumptions += other.resumptions;
        renewals += other.renewals;
        storeReads += other.storeReads;
    }

    long decidedBy(Verdict.DecidedBy by) {
        return decided[by.ordinal()];
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(checks)
                .append(" checks (")
                .append(available)
                .append(" available, ")
                .append(unknown)
                .append(" unknown;");
        for (Verdict.DecidedBy by : Verdict.DecidedBy.values()) {
            if (decidedBy(by) > 0) {
                text.append(' ').append(by).append(' ').append(decidedBy(by));
            }
        }
        return text.append("), ")
                .append(swaps)
                .append(" swaps, ")
                .append(storeReads)
                .append(" store reads, ")
                .append(standing)
                .append(" pauses within them, ")
                .append(refusedReads)
                .append(" refused, ")
                .append(restarts)
                .append(" restarts, ")
                .append(resumptions)
                .append(" without a scan, ")
                .append(renewals)
                .append(" renewals, ")
                .append(misses)
                .append(" misses proved")
                .toString();
    }
}

package io.github.untaken.kind;

import io.github.untaken.Verdict;
import java.util.Arrays;

/**
 * What the simulated database holds, slot by slot, that is, for each set of values which the unique constraint holds equal, and by the
 * true time: whether it is there, since when somebody has been told that it is committed, and since when each node knows that from its
 * own application.
 */
final class ClusterOracle implements SimulatedStore.Witness {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int SLOTS = SimulatedNames.MOST * SimulatedNames.SPELLINGS;

    /** What was so of a slot when a check began. */
    record Before(int slot, boolean acknowledged, boolean own, boolean taken, int appeared, int vanished) {}

    private final int[] rows = new int[SLOTS];
    private final int[] appeared = new int[SLOTS];
    private final int[] vanished = new int[SLOTS];
    private final long[] acknowledged = new long[SLOTS];
    private final long[][] own;
    private final boolean folds;
    private long commits;

    ClusterOracle(int nodes, boolean folds) {
        this.own = new long[nodes][SLOTS];
        this.folds = folds;
        Arrays.fill(acknowledged, NEVER);
        for (long[] known : own) {
            Arrays.fill(known, NEVER);
        }
    }

    @Override
    public void committing() {
        commits++;
    }

    @Override
    public long commits() {
        return commits;
    }

    @Override
    public void appeared(int slot) {
        if (rows[slot]++ == 0) {
            appeared[slot]++;
        }
    }

    @Override
    public void disappeared(int slot) {
        if (--rows[slot] == 0) {
            vanished[slot]++;
            acknowledged[slot] = NEVER;
            for (long[] known : own) {
                known[slot] = NEVER;
            }
        }
    }

    @Override
    public void untold(int slot) {
        throw new AssertionError("the log tells of everything");
    }

    boolean isTaken(int slot) {
        return rows[slot] != 0;
    }

    /** Call when the commit can be seen. */
    void seen(ClusterLog.Commit commit) {
        commit.vanished = Arrays.stream(commit.values)
                .map(value -> vanished[SimulatedNames.slot(value, folds)])
                .toArray();
    }

    /** Somebody is told that the commit has succeeded. */
    void acknowledged(ClusterLog.Commit commit, long now) {
        note(commit, now, acknowledged);
    }

    /** The node's application had told of the commit that is acknowledged. */
    void known(ClusterLog.Commit commit, long now, int node) {
        note(commit, now, own[node]);
    }

    private void note(ClusterLog.Commit commit, long now, long[] since) {
        for (int i = 0; i < commit.vanished.length; i++) {
            int slot = SimulatedNames.slot(commit.values[i], folds);
            if (vanished[slot] == commit.vanished[i] && rows[slot] > 0) {
                since[slot] = Math.min(since[slot], now);
            }
        }
    }

    Before before(int node, int value) {
        int slot = SimulatedNames.slot(value, folds);
        return new Before(
                slot,
                acknowledged[slot] != NEVER,
                own[node][slot] != NEVER,
                rows[slot] > 0,
                appeared[slot],
                vanished[slot]);
    }

    /**
     * What is wrong with calling a name available that is equal to this slot, or null.
     *
     * @param news by when it had to be known what had been acknowledged
     */
    String objection(Before before, Verdict.DecidedBy by, boolean latest, long news) {
        int slot = before.slot();
        boolean same = vanished[slot] == before.vanished();
        if (by == Verdict.DecidedBy.STORE && before.taken() && same) {
            return "a name that the store holds was not found";
        }
        if (before.own() && same) {
            return "a name that this node's application has registered was called available";
        }
        if (latest && before.acknowledged() && same) {
            return "a name whose commit was acknowledged before the check began was called available";
        }
        if (acknowledged[slot] <= news) {
            return "a name whose commit was acknowledged longer than the bound ago was called available";
        }
        return null;
    }

    /** Whether nothing equal to the slot has been there since the check began. */
    boolean freeThroughout(Before before) {
        return !before.taken() && appeared[before.slot()] == before.appeared();
    }
}

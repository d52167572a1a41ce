package io.github.untaken;

import java.util.Arrays;

/**
 * What the simulated database holds, key by key, by the true time: whether reads find it, since when somebody has been told that it is
 * committed, and since when each node knows that from its own application.
 */
final class ClusterOracle implements SimulatedStore.Witness {
    private static final long NEVER = Long.MAX_VALUE;

    /** What was so when a check began. */
    record Before(
            int node,
            int key,
            long began,
            boolean acknowledged,
            boolean own,
            boolean readable,
            int vanished,
            int readableVanished) {}

    private final int[] rows = new int[SimulatedNames.MOST];
    private final int[] readable = new int[SimulatedNames.MOST];
    private final int[] vanished = new int[SimulatedNames.MOST];
    private final int[] readableVanished = new int[SimulatedNames.MOST];
    private final long[] acknowledged = new long[SimulatedNames.MOST];
    private final long[][] own;
    private final boolean folds;
    private long commits;

    ClusterOracle(int nodes, boolean folds) {
        this.own = new long[nodes][SimulatedNames.MOST];
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

    /** Whether a read for the key finds the value. */
    private boolean isReadable(int value) {
        return value % SimulatedNames.SPELLINGS == 0 || folds && !SimulatedNames.isFullWidth(value);
    }

    @Override
    public void appeared(int value) {
        int key = SimulatedNames.keyOf(value);
        rows[key]++;
        readable[key] += isReadable(value) ? 1 : 0;
    }

    @Override
    public void disappeared(int value) {
        int key = SimulatedNames.keyOf(value);
        rows[key]--;
        if (isReadable(value) && --readable[key] == 0) {
            readableVanished[key]++;
            vanish(key); // what is left no read finds, and only the log tells of it
        } else if (rows[key] == 0) {
            vanish(key);
        }
    }

    private void vanish(int key) {
        vanished[key]++;
        acknowledged[key] = NEVER;
        for (long[] known : own) {
            known[key] = NEVER;
        }
    }

    @Override
    public void untold(int value) {
        throw new AssertionError("the log tells of everything");
    }

    boolean isTaken(int key) {
        return rows[key] != 0;
    }

    /** Call when the commit can be seen. */
    void seen(ClusterLog.Commit commit) {
        commit.vanished = Arrays.stream(commit.values)
                .map(value -> vanished[SimulatedNames.keyOf(value)])
                .toArray();
    }

    /** Somebody is told that the commit has succeeded. */
    void acknowledged(ClusterLog.Commit commit, long now) {
        note(commit, now, acknowledged);
    }

    /** The node's application had announced the commit that is acknowledged. */
    void known(ClusterLog.Commit commit, long now, int node) {
        note(commit, now, own[node]);
    }

    private void note(ClusterLog.Commit commit, long now, long[] since) {
        for (int i = 0; i < commit.vanished.length; i++) {
            int key = SimulatedNames.keyOf(commit.values[i]);
            if (vanished[key] == commit.vanished[i] && rows[key] > 0) {
                since[key] = Math.min(since[key], now);
            }
        }
    }

    Before before(int node, int key, long now) {
        return new Before(
                node,
                key,
                now,
                acknowledged[key] != NEVER,
                own[node][key] != NEVER,
                readable[key] > 0,
                vanished[key],
                readableVanished[key]);
    }

    /**
     * What is wrong with calling the name available, or null.
     *
     * @param news by when it had to be known what had been acknowledged
     */
    String objection(Before before, Verdict.DecidedBy by, boolean latest, long news) {
        int key = before.key();
        boolean same = vanished[key] == before.vanished();
        if (by == Verdict.DecidedBy.STORE && before.readable() && readableVanished[key] == before.readableVanished()) {
            return "a name that the store holds was not found";
        }
        if (before.own() && same) {
            return "a name that this node's application has registered was called available";
        }
        if (latest && before.acknowledged() && same) {
            return "a name whose commit was acknowledged before the check began was called available";
        }
        if (acknowledged[key] <= news) {
            return "a name whose commit was acknowledged longer than the bound ago was called available";
        }
        return null;
    }
}

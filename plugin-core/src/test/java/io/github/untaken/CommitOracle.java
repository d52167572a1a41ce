package io.github.untaken;

/**
 * What is committed, key by key, exactly. Rows that nobody told the registry of are excused until a scan that began after
 * their commit serves.
 */
final class CommitOracle implements SimulatedStore.Witness {
    /** What a check knew of its key when it started. */
    record Before(int key, boolean taken, boolean untold, int untoldRows, int appearances, int disappearances) {}

    private final int[] rows = new int[SimulatedNames.MOST];
    private final int[] appearances = new int[SimulatedNames.MOST];
    private final int[] disappearances = new int[SimulatedNames.MOST];
    private final int[] untoldRows = new int[SimulatedNames.MOST];
    private final long[] untoldAt = new long[SimulatedNames.MOST];
    private long commits;
    private long untoldWrites;

    @Override
    public long commits() {
        return commits;
    }

    @Override
    public void committing() {
        commits++;
    }

    @Override
    public void appeared(int value) {
        int key = SimulatedNames.keyOf(value);
        if (rows[key]++ == 0) {
            appearances[key]++;
        }
    }

    @Override
    public void disappeared(int value) {
        int key = SimulatedNames.keyOf(value);
        if (--rows[key] == 0) {
            disappearances[key]++;
        }
    }

    /** A row was committed past the registry. */
    @Override
    public void untold(int value) {
        int key = SimulatedNames.keyOf(value);
        untoldAt[key] = commits;
        untoldRows[key]++;
        untoldWrites++;
    }

    /** A scan that began after so many commits serves. */
    void scanned(long commitsBefore) {
        for (int key = 0; key < untoldAt.length; key++) {
            if (untoldAt[key] <= commitsBefore) {
                untoldAt[key] = 0;
            }
        }
    }

    boolean anythingUntold() {
        return untoldWrites != 0;
    }

    boolean isTaken(int key) {
        return rows[key] != 0;
    }

    Before before(int key) {
        return new Before(
                key, isTaken(key), untoldAt[key] != 0, untoldRows[key], appearances[key], disappearances[key]);
    }

    /** Whether the key was committed when the check started and ever since, and the registry could know. */
    boolean takenThroughout(Before before) {
        int key = before.key();
        return before.taken()
                && disappearances[key] == before.disappearances()
                && !before.untold()
                && untoldRows[key] == before.untoldRows();
    }

    /** Whether the key was free when the check started and ever since. */
    boolean freeThroughout(Before before) {
        return !before.taken() && appearances[before.key()] == before.appearances();
    }
}

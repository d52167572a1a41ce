package io.github.untaken.kind;

/**
 * What is committed, exactly: for each slot, that is, for each set of values which the unique constraint holds equal. Rows that nobody told the registry of are excused until a scan that began after
 * their commit serves.
 */
final class CommitOracle implements SimulatedStore.Witness {
    /** What a check knew of a slot when it started. */
    record Before(int slot, boolean taken, boolean untold, int untoldRows, int appearances, int disappearances) {}

    private final int[] rows = new int[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
    private final int[] appearances = new int[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
    private final int[] disappearances = new int[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
    private final int[] untoldRows = new int[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
    private final long[] untoldAt = new long[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
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
    public void appeared(int slot) {
        if (rows[slot]++ == 0) {
            appearances[slot]++;
        }
    }

    @Override
    public void disappeared(int slot) {
        if (--rows[slot] == 0) {
            disappearances[slot]++;
        }
    }

    /** A row was committed past the registry. */
    @Override
    public void untold(int slot) {
        untoldAt[slot] = commits;
        untoldRows[slot]++;
        untoldWrites++;
    }

    /** A scan that began after so many commits serves. */
    void scanned(long commitsBefore) {
        for (int slot = 0; slot < untoldAt.length; slot++) {
            if (untoldAt[slot] <= commitsBefore) {
                untoldAt[slot] = 0;
            }
        }
    }

    boolean anythingUntold() {
        return untoldWrites != 0;
    }

    boolean isTaken(int slot) {
        return rows[slot] != 0;
    }

    Before before(int slot) {
        return new Before(
                slot, isTaken(slot), untoldAt[slot] != 0, untoldRows[slot], appearances[slot], disappearances[slot]);
    }

    /** Whether the slot was committed when the check started and ever since, and the registry could know. */
    boolean takenThroughout(Before before) {
        int slot = before.slot();
        return before.taken()
                && disappearances[slot] == before.disappearances()
                && !before.untold()
                && untoldRows[slot] == before.untoldRows();
    }

    /** Whether the slot was free when the check started and ever since. */
    boolean freeThroughout(Before before) {
        return !before.taken() && appearances[before.slot()] == before.appearances();
    }
}

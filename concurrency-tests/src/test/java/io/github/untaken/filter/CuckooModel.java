package io.github.untaken.filter;

/**
 * A cuckoo filter of four buckets in a situation made for one race, and what threads do then. A hash is made of its first
 * bucket, of the sum of its two buckets, modulo four, and of a number that sets it apart.
 *
 * <p>The property is in {@link #ask}: the entry was added before, is never removed, and must be found.
 */
public final class CuckooModel {
    private static final int BUCKETS = 4;
    private static final int MATES = 0x10;
    private static final int FILLERS = 0x20;

    private final CuckooFilter filter = new CuckooFilter(BUCKETS, 15);
    private long entry;
    private long crowding;

    private static long hash(int bucket, int sum, int number) {
        return (long) bucket << 62 | (long) sum << 14 | number;
    }

    private void addAll(int bucket, int sum, int from, int count) {
        for (int i = 0; i < count; i++) {
            filter.add(hash(bucket, sum, from + i));
        }
    }

    /** Its first bucket is empty, the other full; {@link #crowd} has to move it to the first. */
    public void anEntryInItsOtherBucket() {
        addAll(2, 0, FILLERS, 4);
        entry = hash(2, 2, 1);
        filter.add(entry);
        addAll(0, 2, MATES, 3);
        for (int i = 0; i < 4; i++) {
            filter.remove(hash(2, 0, FILLERS + i));
        }
        addAll(1, 2, FILLERS, 4);
        crowding = hash(0, 1, 2);
    }

    /** Its two buckets, which are one, were full when it came, and are not any more. */
    public void anEntryInTheStash() {
        addAll(1, 2, FILLERS, 4);
        entry = hash(1, 2, 1);
        filter.add(entry);
        expect(filter.stashed() == 1);
        filter.remove(hash(1, 2, FILLERS));
    }

    /** Its two buckets are full of what cannot move: a copy goes to the stash. */
    public void anEntryInAFullWord() {
        addAll(1, 2, FILLERS, 3);
        addAll(0, 0, MATES, 4);
        entry = hash(1, 1, 1);
        filter.add(entry);
        expect(filter.stashed() == 0);
    }

    /** The table is full, the entry in the stash; {@link #crowd} splits the one and empties the other. */
    public void aFullTable() {
        addAll(0, 2, MATES, 4);
        addAll(1, 2, FILLERS, 4);
        addAll(2, 1, 0x30, 4);
        addAll(3, 1, 0x40, 4);
        entry = hash(1, 2, 1);
        filter.add(entry);
        expect(filter.stashed() == 1 && filter.splits() == 0);
        crowding = hash(0, 1, 2);
    }

    /** As {@link #aFullTable}, with the entry in the table. */
    public void aFullTableWithTheEntry() {
        entry = hash(1, 2, 1);
        filter.add(entry);
        addAll(0, 2, MATES, 4);
        addAll(1, 2, FILLERS, 3);
        addAll(2, 1, 0x30, 4);
        addAll(3, 1, 0x40, 4);
        expect(filter.stashed() == 0 && filter.splits() == 0);
        crowding = hash(0, 1, 2);
    }

    /** The entry is still to come, into a word that holds others. */
    public void aWordWithRoom() {
        addAll(1, 2, FILLERS, 2);
        entry = hash(1, 2, 1);
    }

    public void removeFiller() {
        expect(filter.remove(hash(1, 2, FILLERS)));
    }

    public void crowd() {
        expect(filter.add(crowding));
    }

    public void relieve() {
        expect(filter.remove(crowding));
    }

    /** A twin has the fingerprint and the buckets of the entry, the other one first. */
    public void addTwin() {
        expect(filter.add(twin()));
    }

    /** Takes the lane of the entry, for nobody can tell them apart. */
    public void removeTwin() {
        expect(filter.remove(twin()));
    }

    private long twin() {
        return entry & ~(3L << 62);
    }

    /** A further row of the same key. */
    public void addCopy() {
        expect(filter.add(entry));
    }

    public void removeCopy() {
        expect(filter.remove(entry));
    }

    public void addStranger() {
        expect(filter.add(hash(3, 3, 0x50)));
    }

    public void ask() {
        expect(finds());
    }

    public void askInBatch() {
        expect(findsInBatch());
    }

    boolean finds() {
        return filter.mightContain(entry);
    }

    boolean findsInBatch() {
        boolean[] results = new boolean[2];
        filter.mightContainAll(new long[] {entry, hash(3, 0, 0x60)}, results);
        return results[0];
    }

    public void check() {
        ask();
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new Missing();
        }
    }

    /** An entry was not found, or the situation is not what it should be. */
    private static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}

package io.github.untaken.filter;

/**
 * The shortest chain of moves that frees a lane in one of two full buckets, found breadth-first. Used by the single
 * writer, and reused from search to search.
 */
/*
 * Breadth-first search finds the fewest moves, and fewer moves mean fewer moments in which a reader has to look twice.
 * It also finds no path that uses a lane twice, which would move an entry other than the one the search saw: whatever
 * such a path reaches after its second visit to a bucket was reached, and found full, after the first.
 */
final class CuckooPath {
    /** At 95 % load about 20 are examined; when all fail, the table is as full as it can be. */
    private static final int NODES = 1024;

    private final int[] buckets = new int[NODES];
    private final int[] parents = new int[NODES];
    private final byte[] lanes = new byte[NODES];
    private int size;
    private int free;
    private boolean gaveUp;

    /**
     * Searches from the two buckets of an entry, both full.
     *
     * @return false if there is no path within reach
     */
    boolean find(CuckooTable table, int bucket, int other) {
        size = 0;
        gaveUp = false;
        enqueue(bucket, -1, 0);
        if (other != bucket) {
            enqueue(other, -1, 0);
        }
        for (int node = 0; node < size; node++) {
            long word = table.word(buckets[node]);
            for (int lane = 0; lane < CuckooTable.LANES; lane++) {
                int next = table.alternate(buckets[node], CuckooTable.fingerprintIn(word, lane));
                if (next == bucket || next == other) {
                    continue;
                }
                if (size == NODES) {
                    gaveUp = true;
                    return false;
                }
                enqueue(next, node, lane);
                if (CuckooTable.freeLane(table.word(next)) >= 0) {
                    free = size - 1;
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether the last search ended because everything it reached was full, rather than because there was nothing more
     * to reach.
     */
    boolean gaveUp() {
        return gaveUp;
    }

    /**
     * Moves the entries along the path found, last one first, so that each is copied into a lane already free.
     *
     * @return the bucket that now has a free lane, one of the two searched from
     */
    int walkBack(CuckooTable table) {
        int node = free;
        while (parents[node] >= 0) {
            int parent = parents[node];
            table.move(buckets[parent], lanes[node], buckets[node]);
            node = parent;
        }
        return buckets[node];
    }

    long bytes() {
        return 3 * 16 + (long) NODES * (Integer.BYTES + Integer.BYTES + Byte.BYTES);
    }

    private void enqueue(int bucket, int parent, int lane) {
        buckets[size] = bucket;
        parents[size] = parent;
        lanes[size] = (byte) lane;
        size++;
    }
}

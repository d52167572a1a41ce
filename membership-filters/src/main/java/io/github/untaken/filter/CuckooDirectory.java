package io.github.untaken.filter;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the entries of a cuckoo filter are: the table of each, and what no table had room for. A split makes a new
 * directory, with two tables in place of one. The old directory and the old table stay as they are for readers that
 * still use them. The same holds for each change of the stash. Only the words of a table change under its readers.
 */
/*
 * The top bits of a hash choose one of the first tables; a small filter has only one. Each can split without knowing
 * its keys: an entry moves to one of two new tables by the next bit of its fingerprint, and keeps its bucket and lane
 * there. A split is one pass over the words with two masks, and cannot fail, since each new table holds a part of what
 * the old one held.
 *
 * All entries of a table that was split n times share n bits of their fingerprints, and so does any hash looked up
 * there. So the error rate doubles with each split, and after three splits a filter should be rebuilt from its keys. (A
 * bit of the fingerprint for each doubling: Dayan, Bercea, Reviriego, Pagh, "InfiniFilter: expanding filters to
 * infinity and beyond", 2023; a directory over tables of one size each: Fagin, Nievergelt, Pippenger, Strong,
 * "Extendible hashing", 1979.)
 *
 * Several first tables keep a split short, since writers wait for it, and hold more than one array should. They cost a
 * reader two dependent loads, half as much again as all the rest at ten million entries; so there is one table up to
 * MOST_BUCKETS.
 */
final class CuckooDirectory {
    /** How often a table may be split. */
    static final int MOST_SPLITS = 3;

    /** Most buckets in one table: 128 MiB, enough for 64 million entries. */
    static final int MOST_BUCKETS = 1 << 24;

    static final int MOST_ROOT_BITS = 10;

    /** Most bytes in the first tables of a filter together: 128 GiB. */
    static final long MOST_BYTES = ((long) MOST_BUCKETS << MOST_ROOT_BITS) * Long.BYTES;

    /** The words of the only table, null if there are more; known sooner, loaded sooner. */
    final long @Nullable [] only;

    /** What no table had room for. */
    final Stash stash;

    private final int rootBits;
    /** How many fingerprint bits are used: as many as the most often split table was split. */
    private final int depth;
    /**
     * Indexed by the first table's number, then {@link #depth} bits of the fingerprint; a table split less often
     * appears several times.
     */
    private final CuckooTable[] tables;
    /** The same tables' words, which saves readers a dependent load. */
    private final long[][] words;

    private CuckooDirectory(int rootBits, int depth, CuckooTable[] tables, Stash stash) {
        this.rootBits = rootBits;
        this.depth = depth;
        this.tables = tables;
        this.stash = stash;
        this.words = new long[tables.length][];
        for (int i = 0; i < tables.length; i++) {
            words[i] = tables[i].words;
        }
        this.only = tables.length == 1 ? words[0] : null;
    }

    /**
     * Empty tables.
     *
     * @param rootBits the binary logarithm of their number
     * @param buckets in each
     * @param memory makes arrays of this length
     */
    static CuckooDirectory empty(int rootBits, int buckets, long[] versions, IntFunction<long[]> memory) {
        CuckooTable[] tables = new CuckooTable[1 << rootBits];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = new CuckooTable(memory.apply(buckets), versions);
        }
        return new CuckooDirectory(rootBits, 0, tables, Stash.EMPTY);
    }

    /** How many top bits choose the first table, in a filter of this many buckets in all. */
    static int rootBitsFor(long buckets) {
        int bits = 0;
        while (bits < MOST_ROOT_BITS && buckets >>> bits > MOST_BUCKETS) {
            bits++;
        }
        return bits;
    }

    boolean isStashed(long hash) {
        return stash != Stash.EMPTY && stash.holds(hash);
    }

    long[] words(long hash, int fingerprint) {
        return words[index(hash, fingerprint)];
    }

    CuckooTable table(long hash, int fingerprint) {
        return tables[index(hash, fingerprint)];
    }

    /** The first bucket of a hash in its table, from the bits that did not choose the table. */
    int bucket(long hash, int buckets) {
        return CuckooTable.bucket(hash << rootBits, buckets);
    }

    private int index(long hash, int fingerprint) {
        // In two steps, because Java shifts by 64 bits as if by 0.
        int root = (int) (hash >>> 1 >>> (Long.SIZE - 1 - rootBits));
        return root << depth | fingerprint & ((1 << depth) - 1);
    }

    /** This directory with the table of that hash split in two. */
    CuckooDirectory withSplit(long hash, int fingerprint, IntFunction<long[]> memory) {
        CuckooTable old = table(hash, fingerprint);
        int bit = old.splits();
        CuckooTable[] halves = old.split(memory);
        int deeper = Math.max(depth, bit + 1);
        CuckooTable[] next = new CuckooTable[1 << (rootBits + deeper)];
        for (int i = 0; i < next.length; i++) {
            int low = i & ((1 << deeper) - 1);
            CuckooTable table = tables[i >>> deeper << depth | low & ((1 << depth) - 1)];
            next[i] = table == old ? halves[low >>> bit & 1] : table;
        }
        return new CuckooDirectory(rootBits, deeper, next, stash);
    }

    /** This directory with another stash. */
    CuckooDirectory withStash(Stash next) {
        return new CuckooDirectory(rootBits, depth, tables, next);
    }

    /** How often the most often split table was split. */
    int depth() {
        return depth;
    }

    /** Slots for entries. */
    long slots() {
        long slots = 0;
        for (int i = 0; i < tables.length; i++) {
            slots += isFirstMention(i) ? tables[i].slots() : 0;
        }
        return slots;
    }

    long bytes() {
        // A table, its two arrays' headers, and two references to it.
        long bytes = 96 + tables.length * 16L;
        for (int i = 0; i < tables.length; i++) {
            bytes += isFirstMention(i) ? tables[i].bytes() : 0;
        }
        return bytes;
    }

    private boolean isFirstMention(int index) {
        return (index & ((1 << depth) - 1)) >>> tables[index].splits() == 0;
    }

    /** Each table once, in the order of first occurrence. */
    List<CuckooTable> distinct() {
        List<CuckooTable> all = new ArrayList<>();
        for (int i = 0; i < tables.length; i++) {
            if (isFirstMention(i)) {
                all.add(tables[i]);
            }
        }
        return all;
    }

    /** Writes everything except the words of the tables. */
    void writeShape(DataOutput out) throws IOException {
        out.writeInt(rootBits);
        out.writeInt(depth);
        out.writeInt(words[0].length);
        for (CuckooTable table : tables) {
            out.writeByte(table.splits());
        }
        stash.write(out);
    }

    /** Reads what {@link #writeShape} wrote; the tables are empty. */
    static CuckooDirectory ofShape(DataInput in, long[] versions) throws IOException {
        int rootBits = in.readInt();
        int depth = in.readInt();
        int buckets = in.readInt();
        CuckooTable[] tables = new CuckooTable[1 << (rootBits + depth)];
        for (int i = 0; i < tables.length; i++) {
            int splits = in.readByte();
            int first = i >>> depth << depth | i & ((1 << splits) - 1);
            tables[i] = first == i ? new CuckooTable(new long[buckets], versions, splits) : tables[first];
        }
        return new CuckooDirectory(rootBits, depth, tables, Stash.read(in));
    }
}

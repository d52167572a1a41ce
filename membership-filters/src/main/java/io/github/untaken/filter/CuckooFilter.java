package io.github.untaken.filter;

import static io.github.untaken.filter.CuckooTable.ELEMENT;

import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * A cuckoo filter that never loses an entry. If a table is full it is split, see {@link CuckooDirectory}. What still
 * finds no room goes to a small exact {@link Stash}; what that refuses is refused without a change.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a few
 * hundred bytes a call. Writers take a private lock, so calls from several threads are safe, though not faster. One in
 * some million adds splits a table and takes as long as copying up to 256 MiB, some tenths of a second. Readers do not
 * wait for it.
 *
 * <p>A multiset: two buckets hold eight equal fingerprints; further copies are stashed. From {@value Stash#STUCK}
 * stashed copies of one hash on, removing it has no effect any more.
 *
 * <p>If there is no memory for a split, it is not tried again: the filter refuses what it has no room for.
 */
/*
 * A reader takes the directory, looks at one bucket, the other and the stash, and then again at the version; see
 * CuckooTable for why. It need not look at the directory again. The directory and its stash are immutable, and a split
 * table is never written again. So an entry that was stashed when the reader came is found in that stash wherever it
 * has gone since; an entry that was in a table is found there or has raised the version. It cannot have moved to the
 * stash alone, since nothing moves there, and a removal takes the stashed copies first. Each read acquires, which
 * orders the reads; each write releases.
 */
final class CuckooFilter implements RemovableMembershipFilter {
    /** The object, the small objects it refers to, and the versions. */
    private static final int OBJECT_BYTES = 136 + CuckooTable.STRIPES * Long.BYTES;

    private final WriterSide writers = new WriterSide();
    private final CuckooPath path = new CuckooPath();
    private final IntFunction<long[]> memory;
    private final long capacity;
    private final long[] versions;

    private volatile CuckooDirectory directory;
    private volatile boolean outOfMemory;

    /** @throws IllegalArgumentException if the plan is for more than {@link CuckooDirectory#MOST_BYTES} */
    CuckooFilter(FilterSizing plan) {
        this(CuckooDirectory.rootBitsFor(buckets(plan)), bucketsOfEach(plan), plan.expectedEntries(), long[]::new);
    }

    /** A filter of one table. */
    CuckooFilter(int buckets, long capacity) {
        this(0, buckets, capacity, long[]::new);
    }

    /**
     * A filter of several tables.
     *
     * @param rootBits the binary logarithm of their number
     * @param buckets in each
     * @param memory makes zeroed arrays of this length, now and when a table is split
     */
    CuckooFilter(int rootBits, int buckets, long capacity, IntFunction<long[]> memory) {
        this.capacity = capacity;
        this.memory = memory;
        this.versions = new long[CuckooTable.STRIPES];
        this.directory = CuckooDirectory.empty(rootBits, buckets, versions, memory);
    }

    CuckooFilter(long capacity, long entries, CuckooDirectory directory, long[] versions) {
        this.capacity = capacity;
        this.memory = long[]::new;
        this.versions = versions;
        this.directory = directory;
        writers.count(entries);
    }

    private static long buckets(FilterSizing plan) {
        if (plan.bytes() > CuckooDirectory.MOST_BYTES) {
            throw new IllegalArgumentException("expectedEntries was " + plan.expectedEntries() + ", which needs "
                    + plan.bytes() + " bytes as " + plan.type() + "; one filter holds at most "
                    + CuckooDirectory.MOST_BYTES + " bytes; plan for fewer entries");
        }
        return plan.bytes() / Long.BYTES;
    }

    private static int bucketsOfEach(FilterSizing plan) {
        long buckets = buckets(plan);
        int rootBits = CuckooDirectory.rootBitsFor(buckets);
        return (int) ((buckets + (1L << rootBits) - 1) >>> rootBits);
    }

    @Override
    public boolean mightContain(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        while (true) {
            CuckooDirectory seen = directory;
            long version = version(fingerprint);
            long[] words = seen.only;
            if (words == null) {
                words = seen.words(hash, fingerprint);
            }
            int bucket = seen.bucket(hash, words.length);
            long one = (long) ELEMENT.getAcquire(words, bucket);
            long two = (long) ELEMENT.getAcquire(words, CuckooTable.alternate(bucket, fingerprint, words.length));
            if (CuckooTable.eitherHolds(one, two, fingerprint) || seen.isStashed(hash)) {
                return true;
            }
            if (version(fingerprint) == version) {
                return false;
            }
        }
    }

    private long version(int fingerprint) {
        return (long) ELEMENT.getAcquire(versions, CuckooTable.stripe(fingerprint));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        long[] before = new long[Batches.GROUP];
        long[] ones = new long[Batches.GROUP];
        long[] twos = new long[Batches.GROUP];
        for (int from = 0; from < hashes.length; from += Batches.GROUP) {
            int size = Math.min(Batches.GROUP, hashes.length - from);
            CuckooDirectory seen = directory;
            for (int k = 0; k < size; k++) {
                long hash = hashes[from + k];
                int fingerprint = CuckooTable.fingerprint(hash);
                before[k] = version(fingerprint);
                long[] words = seen.only;
                if (words == null) {
                    words = seen.words(hash, fingerprint);
                }
                int bucket = seen.bucket(hash, words.length);
                ones[k] = (long) ELEMENT.getAcquire(words, bucket);
                twos[k] = (long) ELEMENT.getAcquire(words, CuckooTable.alternate(bucket, fingerprint, words.length));
            }
            for (int k = 0; k < size; k++) {
                long hash = hashes[from + k];
                int fingerprint = CuckooTable.fingerprint(hash);
                boolean found = CuckooTable.eitherHolds(ones[k], twos[k], fingerprint) || seen.isStashed(hash);
                boolean moved = version(fingerprint) != before[k];
                results[from + k] = found || (moved && mightContain(hash));
            }
        }
    }

    @Override
    public boolean add(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        synchronized (writers.lock) {
            while (true) {
                if (addToTable(hash, fingerprint)) {
                    writers.count(1);
                    return true;
                }
                Stash before = directory.stash;
                boolean room = before.hasRoomFor(hash);
                // If an entry has more copies than two buckets hold, a split would not help.
                boolean crowded = path.gaveUp() || (!room && isHalfFull(hash, fingerprint));
                if (!crowded || !split(hash, fingerprint)) {
                    return room && addToStash(before, hash);
                }
            }
        }
    }

    private boolean addToTable(long hash, int fingerprint) {
        CuckooTable table = directory.table(hash, fingerprint);
        int bucket = directory.bucket(hash, table.words.length);
        int other = table.alternate(bucket, fingerprint);
        if (table.put(bucket, fingerprint) || table.put(other, fingerprint)) {
            return true;
        }
        return path.find(table, bucket, other) && table.put(path.walkBack(table), fingerprint);
    }

    private boolean addToStash(Stash before, long hash) {
        Stash after = before.plus(hash);
        if (after != before) {
            directory = directory.withStash(after);
            writers.count(1);
        }
        return true;
    }

    private boolean isHalfFull(long hash, int fingerprint) {
        CuckooTable table = directory.table(hash, fingerprint);
        return table.countEntries() * 2 >= table.slots();
    }

    /** Splits the table of this hash; false, and no change, if it may not be split any more or there is no memory. */
    private boolean split(long hash, int fingerprint) {
        if (outOfMemory || directory.table(hash, fingerprint).splits() == CuckooDirectory.MOST_SPLITS) {
            return false;
        }
        try {
            directory = directory.withSplit(hash, fingerprint, memory);
        } catch (OutOfMemoryError e) {
            outOfMemory = true;
            return false;
        }
        emptyStash();
        return true;
    }

    /** Moves stashed entries back to the tables, as far as there is room. */
    private void emptyStash() {
        for (long hash : directory.stash.hashes()) {
            int fingerprint = CuckooTable.fingerprint(hash);
            while (directory.stash.holds(hash) && directory.stash.canRelease(hash)) {
                Stash after = directory.stash.minus(hash);
                if (!addToTable(hash, fingerprint)) {
                    break;
                }
                directory = directory.withStash(after);
            }
        }
    }

    @Override
    public boolean remove(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        synchronized (writers.lock) {
            // The stash first: readers rely on that, and it knows exactly whose entry it removes.
            if (directory.stash.holds(hash)) {
                removeFromStash(hash);
                return true;
            }
            CuckooTable table = directory.table(hash, fingerprint);
            int bucket = directory.bucket(hash, table.words.length);
            if (table.clear(bucket, fingerprint) || table.clear(table.alternate(bucket, fingerprint), fingerprint)) {
                writers.count(-1);
                return true;
            }
            return false;
        }
    }

    private void removeFromStash(long hash) {
        Stash before = directory.stash;
        Stash after = before.minus(hash);
        if (after != before) {
            directory = directory.withStash(after);
            writers.count(-1);
        }
    }

    @Override
    public long entries() {
        return writers.entries();
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public boolean wantsRebuild() {
        return entries() > capacity || splits() > 0 || outOfMemory;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + writers.bytes() + directory.bytes() + path.bytes() + directory.stash.bytes();
    }

    CuckooImage image() {
        synchronized (writers.lock) {
            return new CuckooImage(capacity, entries(), directory, writers.lock);
        }
    }

    /** How often the most often split table was split, 0 to {@link CuckooDirectory#MOST_SPLITS}. */
    int splits() {
        return directory.depth();
    }

    /** How often readers had to look again: once for each move and each removal beside a twin. */
    long versionsRaised() {
        synchronized (writers.lock) {
            return LongStream.of(versions).sum();
        }
    }

    /** Number of different hashes. */
    int stashed() {
        return directory.stash.different();
    }

    @Override
    public String toString() {
        return "CuckooFilter[entries=" + entries() + ", capacity=" + capacity + ", slots=" + directory.slots()
                + ", splits=" + splits() + ", stashed=" + stashed() + "]";
    }
}

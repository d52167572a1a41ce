package io.github.untaken.filter;

import static io.github.untaken.filter.CuckooTable.ELEMENT;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A cuckoo filter that never loses an entry: what its table refuses goes to a small exact {@link Stash}, and what that
 * refuses is refused without a change.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a few hundred
 * bytes a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 *
 * <p>A multiset: two buckets hold eight equal fingerprints, further copies are stashed. From {@value Stash#STUCK} stashed
 * copies of one hash on, its removals have no effect any more.
 */
/*
 * Readers look at one bucket, the other, the stash, and again at the version they began with; see CuckooTable for why. The
 * stash is the third place of an entry, so a removal from it raises the version as well: a copy may have been added to the
 * table in between. All reads but the last are acquiring, which orders them; each write is releasing.
 */
final class CuckooFilter implements RemovableMembershipFilter {
    /** Enough independent loads to keep the memory busy, few enough to stay in the first-level cache. */
    private static final int GROUP = 16;

    /** The object itself, the lock and the two small objects it refers to. */
    private static final int OBJECT_BYTES = 160;

    private final Object lock = new Object();
    private final CuckooTable table;
    private final CuckooPath path = new CuckooPath();
    private final long capacity;

    // The same arrays as in the table: readers save a dependent load.
    private final long[] words;
    private final long[] versions;

    private volatile Stash stash = Stash.EMPTY;

    /** Written under the lock, read without it. */
    private final AtomicLong entries = new AtomicLong();

    CuckooFilter(FilterSizing plan) {
        this(plan.words(), plan.expectedEntries());
    }

    CuckooFilter(int buckets, long capacity) {
        this.table = new CuckooTable(buckets);
        this.capacity = capacity;
        this.words = table.words;
        this.versions = table.versions;
    }

    @Override
    public boolean mightContain(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        int stripe = CuckooTable.stripe(fingerprint);
        int bucket = CuckooTable.bucket(hash, words.length);
        int other = CuckooTable.alternate(bucket, fingerprint, words.length);
        while (true) {
            long version = (long) ELEMENT.getAcquire(versions, stripe);
            long one = (long) ELEMENT.getAcquire(words, bucket);
            long two = (long) ELEMENT.getAcquire(words, other);
            if (CuckooTable.eitherHolds(one, two, fingerprint)) {
                return true;
            }
            Stash stashed = stash;
            if (stashed != Stash.EMPTY && stashed.holds(hash)) {
                return true;
            }
            if ((long) ELEMENT.getOpaque(versions, stripe) == version) {
                return false;
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        long[] before = new long[GROUP];
        long[] ones = new long[GROUP];
        long[] twos = new long[GROUP];
        for (int from = 0; from < hashes.length; from += GROUP) {
            int size = Math.min(GROUP, hashes.length - from);
            for (int k = 0; k < size; k++) {
                long hash = hashes[from + k];
                int fingerprint = CuckooTable.fingerprint(hash);
                int bucket = CuckooTable.bucket(hash, words.length);
                before[k] = (long) ELEMENT.getAcquire(versions, CuckooTable.stripe(fingerprint));
                ones[k] = (long) ELEMENT.getAcquire(words, bucket);
                twos[k] = (long) ELEMENT.getAcquire(words, CuckooTable.alternate(bucket, fingerprint, words.length));
            }
            Stash stashed = stash;
            for (int k = 0; k < size; k++) {
                long hash = hashes[from + k];
                int fingerprint = CuckooTable.fingerprint(hash);
                boolean found = CuckooTable.eitherHolds(ones[k], twos[k], fingerprint)
                        || (stashed != Stash.EMPTY && stashed.holds(hash));
                boolean moved = (long) ELEMENT.getOpaque(versions, CuckooTable.stripe(fingerprint)) != before[k];
                results[from + k] = found || (moved && mightContain(hash));
            }
        }
    }

    @Override
    public boolean add(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        int bucket = CuckooTable.bucket(hash, words.length);
        int other = table.alternate(bucket, fingerprint);
        synchronized (lock) {
            if (table.put(bucket, fingerprint) || table.put(other, fingerprint)) {
                count(1);
                return true;
            }
            if (path.find(table, bucket, other)) {
                table.put(path.walkBack(table), fingerprint);
                count(1);
                return true;
            }
            return addToStash(hash);
        }
    }

    private boolean addToStash(long hash) {
        Stash before = stash;
        if (!before.hasRoomFor(hash)) {
            return false;
        }
        Stash after = before.plus(hash);
        if (after != before) {
            stash = after;
            count(1);
        }
        return true;
    }

    @Override
    public boolean remove(long hash) {
        int fingerprint = CuckooTable.fingerprint(hash);
        int bucket = CuckooTable.bucket(hash, words.length);
        int other = table.alternate(bucket, fingerprint);
        synchronized (lock) {
            // The stash first: it knows whose entry it takes, and readers are faster without it.
            if (stash.holds(hash)) {
                removeFromStash(hash, fingerprint);
                return true;
            }
            if (table.clear(bucket, fingerprint) || table.clear(other, fingerprint)) {
                count(-1);
                return true;
            }
            return false;
        }
    }

    private void removeFromStash(long hash, int fingerprint) {
        Stash before = stash;
        Stash after = before.minus(hash);
        if (after != before) {
            table.raiseVersion(fingerprint);
            stash = after;
            count(-1);
        }
    }

    private void count(long change) {
        entries.lazySet(entries.get() + change);
    }

    @Override
    public long entries() {
        return entries.get();
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long bytes() {
        return OBJECT_BYTES + table.bytes() + path.bytes() + stash.bytes();
    }

    /** How many different hashes are stashed; package-private for the tests. */
    int stashed() {
        return stash.different();
    }

    @Override
    public String toString() {
        return "CuckooFilter[entries=" + entries + ", capacity=" + capacity + ", slots="
                + (long) words.length * CuckooTable.LANES + ", stashed=" + stashed() + "]";
    }
}

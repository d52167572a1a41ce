package io.github.untaken.filter;

import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * A cuckoo filter as numbers, for a file: a shape, and tables of words. What was added before {@link #of} is in it; of what is
 * added while it is copied, any part. Made for filters from which nothing is removed meanwhile.
 *
 * <p>Thread-safe. No call does I/O of its own.
 */
/*
 * The directory is kept as it was. A table that is split later is not written any more, and stays complete; the other tables go on
 * being written, each is copied under the writers' lock, so that no entry moves from a bucket yet to be copied to one that was; and
 * no entry moves from one table to another, nor from a table to the stash.
 */
public final class CuckooImage {
    private final long capacity;
    private final long entries;
    private final CuckooDirectory directory;
    private final Object writers;

    /** @param writers the lock that whoever changes the filter holds */
    CuckooImage(long capacity, long entries, CuckooDirectory directory, Object writers) {
        this.capacity = capacity;
        this.entries = entries;
        this.directory = directory;
        this.writers = writers;
    }

    /** Of a filter by {@link MembershipFilters#cuckoo}; of others there is none. */
    public static Optional<CuckooImage> of(MembershipFilter filter) {
        return filter instanceof CuckooFilter cuckoo ? Optional.of(cuckoo.image()) : Optional.empty();
    }

    /**
     * All but the tables: some kilobytes. What it writes is as secret as hashes are.
     *
     * @throws IOException if the output fails
     */
    public void writeShape(DataOutput out) throws IOException {
        out.writeLong(capacity);
        out.writeLong(entries);
        directory.writeShape(out);
    }

    /** 1 to 8,192. */
    public int tables() {
        return directory.distinct().size();
    }

    /** How many words each table has, up to 16,777,216. */
    public int words() {
        return directory.distinct().get(0).words.length;
    }

    /**
     * Copies a table. Whoever adds to the filter waits meanwhile, some hundredths of a second for the largest; readers do not.
     *
     * @param table 0 to less than {@link #tables}
     * @param into {@link #words} of them
     * @throws IndexOutOfBoundsException if there is no such table, or no room for it
     */
    public void copy(int table, long[] into) {
        long[] words = directory.distinct().get(table).words;
        synchronized (writers) {
            System.arraycopy(words, 0, into, 0, words.length);
        }
    }
}

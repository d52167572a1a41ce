package io.github.untaken.filter;

import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * A cuckoo filter in a form for files: a shape, and tables of words. It contains everything added before {@link #of},
 * and any part of what is added during the copying. Meant for filters from which nothing is removed meanwhile.
 *
 * <p>Thread-safe. No call does I/O of its own.
 */
/*
 * The directory is kept as it was. A table that is split later is not written any more, and stays complete. The other
 * tables are still being written; each is copied under the writers' lock, so that no entry moves from a bucket yet to
 * be copied to one already copied. And no entry moves from one table to another, nor from a table to the stash.
 */
public final class CuckooImage {
    private final long capacity;
    private final long entries;
    private final CuckooDirectory directory;
    private final Object writers;

    /** @param writers the lock held by whoever changes the filter */
    CuckooImage(long capacity, long entries, CuckooDirectory directory, Object writers) {
        this.capacity = capacity;
        this.entries = entries;
        this.directory = directory;
        this.writers = writers;
    }

    /** The image of a filter by {@link MembershipFilters#cuckoo}; empty for others. */
    public static Optional<CuckooImage> of(MembershipFilter filter) {
        return filter instanceof CuckooFilter cuckoo ? Optional.of(cuckoo.image()) : Optional.empty();
    }

    /**
     * Writes all but the tables: a few kilobytes, as secret as hashes.
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

    /** Words in each table, up to 16,777,216. */
    public int words() {
        return directory.distinct().get(0).words.length;
    }

    /**
     * Copies a table. Writers wait meanwhile, some hundredths of a second for the largest table; readers do not.
     *
     * @param table 0 to less than {@link #tables}
     * @param into has room for {@link #words}
     * @throws IndexOutOfBoundsException if there is no such table, or no room for it
     */
    public void copy(int table, long[] into) {
        long[] words = directory.distinct().get(table).words;
        synchronized (writers) {
            System.arraycopy(words, 0, into, 0, words.length);
        }
    }
}

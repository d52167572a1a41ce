package io.github.untaken.filter;

import java.io.DataInput;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.List;

/**
 * A cuckoo filter being read back: first its shape, then the words of its tables. Several threads may fill it, each its
 * own part; their work must happen before {@link #filter} is called.
 */
public final class CuckooBlank {
    private final long capacity;
    private final long entries;
    private final long[] versions = new long[CuckooTable.STRIPES];
    private final CuckooDirectory directory;
    private final List<CuckooTable> tables;

    /**
     * Allocates all tables, and throws {@link OutOfMemoryError} if the heap has no room for them. Blocks as the input
     * does.
     *
     * @param in what {@link CuckooImage#writeShape} wrote; not checked
     * @throws IOException if the input fails, or ends before the shape does
     */
    public CuckooBlank(DataInput in) throws IOException {
        this.capacity = in.readLong();
        this.entries = in.readLong();
        this.directory = CuckooDirectory.ofShape(in, versions);
        this.tables = directory.distinct();
    }

    /** 1 to 8,192. */
    public int tables() {
        return tables.size();
    }

    /** Words in each table, up to 16,777,216. */
    public int words() {
        return tables.get(0).words.length;
    }

    /**
     * Takes everything that remains in the buffer.
     *
     * @param table 0 to less than {@link #tables}
     * @param at the first word of the table to fill, 0 to less than {@link #words}
     * @throws IndexOutOfBoundsException if there is no such table, or the buffer has more than fits from that word on
     */
    public void fill(int table, int at, LongBuffer words) {
        words.get(tables.get(table).words, at, words.remaining());
    }

    /** The filter; called once, when everything is filled. */
    public RemovableMembershipFilter filter() {
        return new CuckooFilter(capacity, entries, directory, versions);
    }
}

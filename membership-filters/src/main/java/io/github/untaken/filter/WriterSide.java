package io.github.untaken.filter;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What each writer of a filter writes besides the table: the lock and the number of entries. They lie apart from what readers
 * read, for a core that reads a cache line has to fetch it anew whenever another core has written anything in it.
 */
/*
 * Without the spacers a reader beside a busy writer takes up to twice as long, and the writer too, depending on what the garbage
 * collector puts side by side. An object cannot keep others away from its own header, where its lock is; so the spacers are
 * objects. Collectors that compact keep the order of allocation, and those that copy keep together what one object refers to;
 * nothing promises it, and all that depends on it is time.
 */
final class WriterSide {
    /** Two cache lines of 64 bytes, since processors fetch them in pairs. */
    private static final int SPACER = 128 / Long.BYTES;

    private static final int OBJECT_BYTES = 32 + 16 + 24 + 2 * 16;

    private final long[] before = new long[SPACER];

    /** Held by whoever changes the filter; readers take no lock. */
    final Object lock = new Object();

    /** Written under the lock, read without it. */
    private final AtomicLong entries = new AtomicLong();

    private final long[] after = new long[SPACER];

    /** Called under the lock. */
    void count(long change) {
        entries.lazySet(entries.get() + change);
    }

    long entries() {
        return entries.get();
    }

    long bytes() {
        return OBJECT_BYTES + (long) (before.length + after.length) * Long.BYTES;
    }
}

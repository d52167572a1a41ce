package io.github.untaken.filter;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What writers of a filter write besides the table: the lock and the number of entries. Kept apart from what readers
 * read, since a core has to refetch a cache line whenever another core writes anything in it.
 */
/*
 * Without the spacers a reader beside a busy writer takes up to twice as long, and so does the writer, depending on
 * what the garbage collector puts next to each other. An object cannot keep others away from its own header, where its
 * lock is; so the spacers are objects. Compacting collectors keep the allocation order, and copying ones keep together
 * what one object refers to. Nothing guarantees that, and only time depends on it.
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

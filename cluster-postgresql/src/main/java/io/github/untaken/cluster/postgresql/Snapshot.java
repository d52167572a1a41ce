package io.github.untaken.cluster.postgresql;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which transactions a statement of PostgreSQL sees, as {@code pg_current_snapshot()} says it.
 *
 * @param lowest the lowest number of a transaction that was under way
 * @param next the lowest number that had not been given out
 * @param open those from the first to the second that were under way
 */
record Snapshot(long lowest, long next, Set<Long> open) {

    /** Sees no transaction. */
    static final Snapshot NOTHING = new Snapshot(0, 0, Set.of());

    static Snapshot of(String text) {
        String[] parts = text.split(":", 3);
        return new Snapshot(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Arrays.stream(parts[2].split(","))
                        .filter(each -> !each.isEmpty())
                        .map(Long::valueOf)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether it sees a committed transaction; {@code xid} is the lower half of its number. */
    boolean sees(int xid) {
        long number = whole(xid);
        return number < next && !open.contains(number);
    }

    /** Whether it sees every committed transaction up to this one. */
    boolean seesAllUpTo(int xid) {
        return whole(xid) < lowest;
    }

    /** The number with these lower 32 bits that is nearest: PostgreSQL keeps those in use less than 2^31 apart. */
    private long whole(int xid) {
        return next + (xid - (int) next);
    }
}

package io.github.untaken.memory;

import io.github.untaken.filter.MembershipFilter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What scans and announcements have put into memory: the membership filter and the little beside it. It only grows. An
 * addition stores something only if the answer was "no" before, so it may come twice, late or for nothing. Neither
 * asking nor adding what is already there takes a lock.
 */
final class StoredValues {
    /** Most hashes kept exactly because the filter refused them, until the birth that a refusal asks for. */
    static final int MAX_OVERFLOW = 100_000;

    private static final long FEW = 10_000;

    private final MembershipFilter filter;
    private final Variants variants = new Variants();
    private final Set<Long> overflow = ConcurrentHashMap.newKeySet();
    private final int maxOverflow;
    private volatile boolean overflowing;
    private volatile long scanned = Long.MAX_VALUE;

    StoredValues(MembershipFilter filter, int maxOverflow) {
        this.filter = filter;
        this.maxOverflow = maxOverflow;
    }

    MembershipFilter filter() {
        return filter;
    }

    Variants variants() {
        return variants;
    }

    boolean mightContain(long hash) {
        return filter.mightContain(hash) || overflowing && overflow.contains(hash);
    }

    void mightContainAll(long[] hashes, boolean[] results) {
        filter.mightContainAll(hashes, results);
        if (overflowing) {
            for (int i = 0; i < hashes.length; i++) {
                results[i] |= overflow.contains(hashes[i]);
            }
        }
    }

    /** Makes the answer "maybe" from now on; false if there is no room even beside the filter. */
    boolean add(long hash) {
        return mightContain(hash) || store(hash);
    }

    /** As {@link #add}, for hashes that are usually new. */
    synchronized boolean store(long hash) {
        if (mightContain(hash) || filter.add(hash)) {
            return true;
        }
        if (overflow.size() >= maxOverflow) {
            return false;
        }
        overflowing = true;
        overflow.add(hash);
        return true;
    }

    synchronized void addOverflow(long[] hashes) {
        for (long hash : hashes) {
            overflow.add(hash);
        }
        overflowing = !overflow.isEmpty();
    }

    long[] overflow() {
        return overflow.stream().mapToLong(Long::longValue).toArray();
    }

    /** A scan has ended; anything added from now on makes the filter larger than the store. */
    void scanned() {
        scanned = entries();
    }

    /** Whether a larger filter is due, or one without values that are gone or were never committed. */
    boolean isOutgrown() {
        long then = scanned;
        return overflowing || filter.wantsRebuild() || then <= Long.MAX_VALUE / 2 && entries() > 2 * then + FEW;
    }

    long entries() {
        return filter.entries() + overflow.size();
    }

    long bytes() {
        // A boxed long in a concurrent set costs about 64 bytes with its node, table slot and box.
        return filter.bytes() + variants.bytes() + 64L * overflow.size();
    }
}

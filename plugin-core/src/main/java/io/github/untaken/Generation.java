package io.github.untaken;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.RemovableMembershipFilter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One complete picture of the committed keys: a membership filter with the hasher that feeds it, and the little that must
 * be kept exactly beside it. Any thread may ask; changes come from one thread at a time, which holds the monitor.
 *
 * <p>Each committed row owns one copy of its key. A copy is therefore never left out because the key "seems present", and
 * taken out at most once for each row.
 */
final class Generation {

    /** Keys taken out of a generation and not added to it, or to the next one, again. */
    private record Removed(@Nullable KeyHasher hasher, Set<Long> hashes) {
        boolean holds(String key) {
            return hasher != null && !hashes.isEmpty() && hashes.contains(hasher.hash(key));
        }

        /** Whether it was there. */
        boolean forget(String key) {
            return hasher != null && !hashes.isEmpty() && hashes.remove(hasher.hash(key));
        }
    }

    /** Hashes the filter refused, kept exactly until the rebuild that a refusal asks for. */
    private static final int MAX_OVERFLOW = 100_000;
    /** Keys removed and not added again; a second removal of one would take a stranger's copy. */
    private static final int MAX_REMOVED = 100_000;

    /** Fewer are not worth a scan. */
    private static final long FEW_STALE = 1_000;

    private static final double STALE_SHARE = 0.1;

    private final KeyHasher hasher;
    private final MembershipFilter filter;
    private final NonCanonicalKeys nonCanonical = new NonCanonicalKeys();
    private final Set<Long> overflow = ConcurrentHashMap.newKeySet();
    private final Set<Long> removed = ConcurrentHashMap.newKeySet();
    private final LongAdder stale = new LongAdder();
    private Removed removedBefore = new Removed(null, Set.of());
    private volatile boolean overflowing;
    private final int maxOverflow;
    private final int maxRemoved;
    private boolean acceptsRemovals = true;

    Generation(KeyHasher hasher, MembershipFilter filter) {
        this(hasher, filter, MAX_OVERFLOW, MAX_REMOVED);
    }

    Generation(KeyHasher hasher, MembershipFilter filter, int maxOverflow, int maxRemoved) {
        this.hasher = hasher;
        this.filter = filter;
        this.maxOverflow = maxOverflow;
        this.maxRemoved = maxRemoved;
    }

    long hash(String key) {
        return hasher.hash(key);
    }

    boolean mightContain(String key) {
        return mightContain(hasher.hash(key));
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

    /** As {@link #add(long)}, once this generation serves or is about to. */
    synchronized boolean add(String key) {
        boolean unused = removedBefore.forget(key);
        return add(hash(key));
    }

    /** Adds a copy; false if there is no room even beside the filter, and then nothing changed. */
    synchronized boolean add(long hash) {
        removed.remove(hash);
        if (filter.add(hash)) {
            return true;
        }
        // A set is enough: what it holds is never removed, so that equal hashes need no count.
        if (overflow.contains(hash)) {
            return true;
        }
        if (overflow.size() >= maxOverflow) {
            return false;
        }
        overflowing = true;
        overflow.add(hash);
        return true;
    }

    /** Takes one copy out, or leaves it (false) where that could be a stranger's. */
    synchronized boolean remove(String key) {
        long hash = hash(key);
        if (!acceptsRemovals
                || !(filter instanceof RemovableMembershipFilter removable)
                || removedBefore.holds(key)
                || overflowing && overflow.contains(hash)
                || removed.size() >= maxRemoved
                || removed.contains(hash)
                || !removable.remove(hash)) {
            return false;
        }
        removed.add(hash);
        return true;
    }

    /**
     * Whether the last that happened to the key was that a copy was taken out, here or in the generation before. Asked once:
     * whoever asks adds one.
     */
    synchronized boolean lacksCopyOf(String key) {
        boolean removedInGenerationBefore = removedBefore.forget(key); // so it is asked in any case
        return removedInGenerationBefore || removed.contains(hash(key));
    }

    /** An entity read under the generation before may still be written back, or told of as removed, under this one. */
    synchronized void remember(Generation before) {
        removedBefore = new Removed(before.hasher, before.removed);
    }

    /** Some key was accepted without a copy of its own, so a removal could take one that belongs to another. */
    synchronized void refuseRemovals() {
        acceptsRemovals = false;
    }

    NonCanonicalKeys nonCanonical() {
        return nonCanonical;
    }

    /** Notes a copy whose row is gone, but which could not be taken out. */
    void noteStale() {
        stale.increment();
    }

    /** Whether it is time for a larger one, or for one without the copies of rows that are gone. */
    boolean wantsRebuild() {
        return overflowing || filter.wantsRebuild() || isStale();
    }

    private boolean isStale() {
        long copies = stale.sum();
        return copies >= FEW_STALE && copies > filter.entries() * STALE_SHARE;
    }

    long entries() {
        return filter.entries() + overflow.size();
    }

    long bytes() {
        // A boxed long in a concurrent set costs about 64 bytes with its node, table slot and box.
        return filter.bytes() + 64L * (overflow.size() + removed.size());
    }
}

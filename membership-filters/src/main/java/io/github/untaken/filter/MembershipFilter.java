package io.github.untaken.filter;

/**
 * A probabilistic set of 64-bit key hashes: it may claim to hold what it does not, never the reverse.
 *
 * <p>Any number of threads may query it while one adds or removes, without blocking. They see each entry once its
 * {@code add} has returned, even while it moves. An implementation need not allow several threads to add or remove at a
 * time; all those of {@link MembershipFilters} do. Hashes should be uniform over all 64 bits, see {@link KeyHasher}.
 */
public interface MembershipFilter {

    /**
     * Adds one entry; equal hashes add up.
     *
     * @return false if there was no room: nothing changed, and the caller must keep the hash elsewhere
     */
    boolean add(long hash);

    /**
     * False only if no such hash was added, or each was removed again. Once maybe, always maybe: as long as nothing is
     * removed, a hash that was answered with true after an {@code add} has returned stays true for the filter's life,
     * whether it was added or is mistaken for another. A caller that finds it true while no one writes need not add it.
     */
    boolean mightContain(long hash);

    /**
     * The answers of {@link #mightContain} for many hashes, with the memory reads overlapped.
     *
     * @param results receives the answer for {@code hashes[i]} at {@code i}; at least as long as {@code hashes}
     * @throws IllegalArgumentException if {@code results} is shorter; nothing was answered
     */
    void mightContainAll(long[] hashes, boolean[] results);

    /** The number of entries it holds; for filters that merge equal entries, how many were added. */
    long entries();

    /** The number of entries it was planned for, which never changes; above this the error rate or refusals rise. */
    long capacity();

    /**
     * Whether a filter rebuilt from the keys would be better: this one holds more than planned, or has grown at the
     * cost of its error rate.
     */
    default boolean wantsRebuild() {
        return entries() > capacity();
    }

    /** The memory it occupies, in bytes, everything included. */
    long bytes();
}

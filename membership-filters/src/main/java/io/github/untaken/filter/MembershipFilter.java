package io.github.untaken.filter;

/**
 * A probabilistic set of 64-bit key hashes: it may claim to hold what it does not, never the reverse.
 *
 * <p>Any number of threads may ask while one adds or removes, without blocking, and see each entry from the return of its
 * {@code add} on, also while it moves. An implementation need not allow several threads to add or remove at a time; all those
 * of {@link MembershipFilters} do. A hash is expected to be uniform over all 64 bits, see {@link
 * KeyHasher}.
 */
public interface MembershipFilter {

    /**
     * Adds one entry; equal hashes add up.
     *
     * @return false if there was no room: nothing changed, and the caller must keep the hash elsewhere
     */
    boolean add(long hash);

    /**
     * False only if no such hash was added, or each was removed again. Once maybe, always maybe: as long as nothing is removed, a
     * hash that was answered with true after the return of an {@code add} is so for the filter's life, whether it was added or is
     * taken for another. Who finds it true while nobody writes need not add it.
     */
    boolean mightContain(long hash);

    /**
     * The answers of {@link #mightContain} for many hashes, with the memory reads overlapped.
     *
     * @param results receives the answer for {@code hashes[i]} at {@code i}; at least as long as {@code hashes}
     * @throws IllegalArgumentException if {@code results} is shorter; nothing was answered
     */
    void mightContainAll(long[] hashes, boolean[] results);

    /** How many entries it holds; for filters that merge equal entries, how many were added. */
    long entries();

    /** How many entries it was planned for, once and for all; above this the error rate or refusals rise. */
    long capacity();

    /**
     * Whether one made anew from the keys would be better: this one holds more than it was planned for, or has grown and
     * paid with its error rate.
     */
    default boolean wantsRebuild() {
        return entries() > capacity();
    }

    /** The memory it occupies, in bytes, everything counted. */
    long bytes();
}

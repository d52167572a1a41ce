package io.github.untaken.testkit;

/**
 * What a membership filter promises beyond the interface; {@link MembershipFilterContract} holds it to that.
 *
 * @param errorRate the greatest share of false "maybe" at the planned size, between 0 and 1
 * @param refusesWhenFull whether {@code add} may return false far above the planned size; a filter that never does must
 *     answer for every entry there too, at whatever error rate
 * @param severalWriters whether several threads may add or remove at the same time
 * @param exactCopies up to how many copies of one key are counted exactly, so that the key is gone when all are removed; of
 *     more the filter may keep one for good. At least 9 for a filter that removes (more than the cells that a common one has
 *     for a key), 0 for one that does not.
 */
public record FilterAbilities(double errorRate, boolean refusesWhenFull, boolean severalWriters, int exactCopies) {
    /**
     * @throws IllegalArgumentException if the rate is not between 0 and 1, both exclusive, or the copies are negative
     */
    public FilterAbilities {
        if (!(errorRate > 0 && errorRate < 1)) {
            throw new IllegalArgumentException("errorRate must be between 0 and 1, but was " + errorRate);
        }
        if (exactCopies < 0) {
            throw new IllegalArgumentException("exactCopies must be 0 or more, but was " + exactCopies);
        }
    }
}

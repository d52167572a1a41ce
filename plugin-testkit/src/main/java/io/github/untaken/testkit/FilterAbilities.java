package io.github.untaken.testkit;

/**
 * What a membership filter promises beyond the interface; {@link MembershipFilterContract} holds it to that.
 *
 * @param errorRate the greatest share of false "maybe" at the planned size, between 0 and 1
 * @param refusesWhenFull whether {@code add} may return false far above the planned size; a filter that never does must
 *     answer for every entry there too, at whatever error rate
 * @param severalWriters whether several threads may add or remove at the same time
 */
public record FilterAbilities(double errorRate, boolean refusesWhenFull, boolean severalWriters) {
    /** @throws IllegalArgumentException if the rate is not between 0 and 1, both exclusive */
    public FilterAbilities {
        if (!(errorRate > 0 && errorRate < 1)) {
            throw new IllegalArgumentException("errorRate must be between 0 and 1, but was " + errorRate);
        }
    }
}

package io.github.untaken.filter;

/**
 * A membership filter of single bits: two of one shape can be combined, and the number of different entries can be
 * estimated from the share of set bits.
 *
 * <p>Two filters can be combined if they have the same type, were planned for the same entries at the same error rate,
 * and are fed by one {@link KeyHasher}. If a hasher was passed to the factory this is checked; if not, the caller is
 * responsible. All else is refused with an {@link IllegalArgumentException} that names both sides. Nothing here changes
 * either filter, takes a lock or blocks; what a writer adds meanwhile may or may not be in the result. Each call reads
 * both tables completely.
 *
 * <p>The estimates count equal entries once. Their relative error is about 0.8 / sqrt(bits) at the planned size, that
 * is 0.08 % for a million bits, and grows as the table fills.
 */
public interface CombinableMembershipFilter extends MembershipFilter {

    /** About how many different hashes were added; {@link Double#POSITIVE_INFINITY} when every bit is set. */
    double estimatedEntries();

    /** About how many different hashes are in this or the other, without building the union. */
    double estimatedUnion(CombinableMembershipFilter other);

    /**
     * About how many different hashes are in both: the sum of both sizes minus that of their union. It has the error of
     * all three, so the answer for a small intersection of two large filters is vague. Never negative; NaN when a table
     * is saturated.
     */
    double estimatedIntersection(CombinableMembershipFilter other);

    /**
     * A new filter that answers as if everything added to either had been added to it, bit for bit. Its
     * {@link #entries} are the sum of both.
     */
    CombinableMembershipFilter union(CombinableMembershipFilter other);

    /**
     * A new filter that holds at least whatever was added to both. Bits that different entries set at the same place
     * remain, so its error rate may exceed that of a filter built from the common entries; it never exceeds that of
     * either. Its {@link #entries} are the smaller of both, which is an upper bound.
     */
    CombinableMembershipFilter intersection(CombinableMembershipFilter other);
}

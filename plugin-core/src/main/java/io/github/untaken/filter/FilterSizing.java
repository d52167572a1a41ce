package io.github.untaken.filter;

/**
 * How large a membership filter must be: computed, without allocating it. All arithmetic is 64-bit, so plans for far more
 * entries than this JVM could hold are right as well; only {@link MembershipFilters} refuses what does not fit an array.
 *
 * @param type the family member planned
 * @param expectedEntries for how many entries, 1 to {@link #MAX_ENTRIES}
 * @param targetErrorRate the share of false "maybe" asked for, between 0 and 1, both exclusive
 * @param bits the size of the table
 * @param slots places for an entry (cuckoo) or single bits (Bloom)
 * @param probes memory words read for an entry: 2 buckets (cuckoo) or k bits (Bloom)
 * @param bytes the size of the table in bytes, without the few kilobytes every filter has
 * @param predictedErrorRate the share of false "maybe" to expect with {@code expectedEntries} held
 */
public record FilterSizing(
        FilterType type,
        long expectedEntries,
        double targetErrorRate,
        long bits,
        long slots,
        int probes,
        long bytes,
        double predictedErrorRate) {

    /** The most entries that can be planned for: 2^50. */
    public static final long MAX_ENTRIES = 1L << 50;

    /** What a cuckoo filter of 4 x 16 bits promises when 95 % full. */
    public static final double CUCKOO_ERROR_RATE = 1.2e-4;

    /** The strictest rate that can be planned for. */
    public static final double MIN_ERROR_RATE = 1e-15;

    static final int LANES = 4;
    private static final int LANE_BITS = 16;
    private static final double FULL = 0.95;
    /** In a tiny table chance alone overfills a pair of buckets; a few spare ones cost nothing. */
    private static final int SPARE_BUCKETS = 8;

    /** A plan at the rate the member is usually used with: {@link #CUCKOO_ERROR_RATE} for both. */
    public static FilterSizing plan(FilterType type, long expectedEntries) {
        return plan(type, expectedEntries, CUCKOO_ERROR_RATE);
    }

    /**
     * What a cuckoo filter promises after it has grown.
     *
     * @param doublings how often, 0 to 3
     * @throws IllegalArgumentException if it cannot grow so often
     */
    public static double cuckooErrorRate(int doublings) {
        if (doublings < 0 || doublings > CuckooDirectory.MOST_SPLITS) {
            throw new IllegalArgumentException(
                    "doublings must be 0 to " + CuckooDirectory.MOST_SPLITS + ", but was " + doublings);
        }
        return CUCKOO_ERROR_RATE * (1 << doublings);
    }

    /**
     * Plans a filter.
     *
     * @throws IllegalArgumentException if an argument is out of the range stated above, or if this member cannot reach the
     *     rate; the message names the value, the limit and, in the latter case, a member that reaches it
     */
    public static FilterSizing plan(FilterType type, long expectedEntries, double targetErrorRate) {
        if (expectedEntries < 1 || expectedEntries > MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "expectedEntries must be 1 to " + MAX_ENTRIES + ", but was " + expectedEntries);
        }
        if (!(targetErrorRate >= MIN_ERROR_RATE && targetErrorRate < 1)) {
            throw new IllegalArgumentException("targetErrorRate must be " + MIN_ERROR_RATE
                    + " or more and less than 1, but was " + targetErrorRate);
        }
        return switch (type) {
            case CUCKOO -> cuckoo(expectedEntries, targetErrorRate);
            case BLOOM -> bloom(expectedEntries, targetErrorRate);
        };
    }

    private static FilterSizing cuckoo(long entries, double rate) {
        if (rate < CUCKOO_ERROR_RATE) {
            throw new IllegalArgumentException("targetErrorRate of CUCKOO must be " + CUCKOO_ERROR_RATE
                    + " or more, since it has one shape only, but was " + rate + "; BLOOM reaches it, without removal");
        }
        long buckets = (long) Math.ceil(entries / (LANES * FULL)) + SPARE_BUCKETS;
        long slots = buckets * LANES;
        double load = (double) entries / slots;
        double predicted = -Math.expm1(2 * LANES * load * Math.log1p(-1.0 / ((1 << LANE_BITS) - 1)));
        return new FilterSizing(
                FilterType.CUCKOO, entries, rate, slots * LANE_BITS, slots, 2, buckets * Long.BYTES, predicted);
    }

    private static FilterSizing bloom(long entries, double rate) {
        double ln2 = Math.log(2);
        double wanted = Math.ceil(-entries * Math.log(rate) / (ln2 * ln2));
        int probes = (int) Math.max(1, Math.round(-Math.log(rate) / ln2));
        // A whole number of probes is never exactly the best one, so the bits are computed for the number in use.
        double exact = Math.ceil(-probes * (double) entries / Math.log1p(-Math.pow(rate, 1.0 / probes)));
        long words = (long) Math.ceil(Math.max(wanted, exact) / Long.SIZE);
        long bits = words * Long.SIZE;
        double predicted = Math.pow(-Math.expm1(-probes * (double) entries / bits), probes);
        return new FilterSizing(FilterType.BLOOM, entries, rate, bits, bits, probes, words * Long.BYTES, predicted);
    }

    /** The table as an array of words. */
    int words() {
        long words = bytes / Long.BYTES;
        if (words > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("expectedEntries was " + expectedEntries + ", which needs " + bytes
                    + " bytes as " + type + "; one filter holds at most " + (Integer.MAX_VALUE - 8L) * Long.BYTES
                    + " bytes; plan for fewer entries" + (type == FilterType.BLOOM ? " or a higher error rate" : ""));
        }
        return (int) words;
    }
}

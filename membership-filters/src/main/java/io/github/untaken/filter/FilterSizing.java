package io.github.untaken.filter;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The size a membership filter needs, computed without allocating it. All arithmetic is 64-bit, so plans for far more
 * entries than this JVM could hold are correct too; only {@link MembershipFilters} refuses what does not fit an array.
 *
 * <p>Plans come from {@link #plan} and {@link #compare}, which check their arguments; the constructor checks nothing,
 * and no factory takes a plan.
 *
 * @param type the type of filter planned
 * @param expectedEntries for how many entries, 1 to {@link #MAX_ENTRIES}
 * @param targetErrorRate the requested share of false "maybe", between 0 and 1, both exclusive
 * @param bits the size of the table; for a scalable filter, of its first layer, which has room for
 *     {@code expectedEntries}
 * @param probes what is looked at for an entry: 2 buckets (cuckoo), 4 buckets (d-left), or k bits or counters (all
 *     others),     which a blocked Bloom filter has in 8 neighbouring words
 * @param predictedErrorRate the expected share of false "maybe" with {@code expectedEntries} held; for a scalable
 *     filter about half the     target, which it approaches but never exceeds as it grows
 */
public record FilterSizing(
        FilterType type,
        long expectedEntries,
        double targetErrorRate,
        long bits,
        int probes,
        double predictedErrorRate) {

    /** The most entries that can be planned for: 2^40. */
    public static final long MAX_ENTRIES = 1L << 40;

    /** The error rate of a cuckoo filter of 4 x 16 bits when 95 % full. */
    public static final double CUCKOO_ERROR_RATE = 1.2e-4;

    /** The error rate of a d-left counting Bloom filter with 28-bit fingerprints when 75 % full. */
    public static final double D_LEFT_ERROR_RATE = 1.8e-7;

    /**
     * The strictest rate of a blocked Bloom filter: below it, a few crowded blocks would make it cost more than twice a
     * plain one.
     */
    public static final double BLOCKED_BLOOM_ERROR_RATE = 1e-9;

    /**
     * The strictest rate that can be planned for, and only for up to 9,000 entries. No filter of 64-bit hashes can err
     * less often than other keys have the same hash, which is entries / 2^64, and half of the target is reserved for
     * that.
     */
    public static final double MIN_ERROR_RATE = 1e-15;

    static final int LANES = 4;
    private static final int LANE_BITS = 16;
    private static final double FULL = 0.95;
    /** In a tiny table chance alone overfills a pair of buckets; a few spare ones cost nothing. */
    private static final int SPARE_BUCKETS = 8;

    private static final double D_LEFT_FULL = 0.75;

    /** Some JVMs allow no longer array. */
    private static final long MAX_WORDS = Integer.MAX_VALUE - 8;

    /** A plan at the rate that all types are usually used with: {@link #CUCKOO_ERROR_RATE}. */
    public static FilterSizing plan(FilterType type, long expectedEntries) {
        return plan(type, expectedEntries, CUCKOO_ERROR_RATE);
    }

    /**
     * The error rate of a cuckoo filter after it has grown.
     *
     * @param doublings how often it has doubled, 0 to 3
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
     * @throws IllegalArgumentException if an argument is out of the range stated above, or if this type cannot reach
     *     the rate; the message     names the value, the limit and, in the latter case, a type that reaches it
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
        double limit = 2 * equalHashes(expectedEntries);
        if (targetErrorRate < limit) {
            throw new IllegalArgumentException("targetErrorRate must be " + limit + " or more for " + expectedEntries
                    + " entries, since 64-bit hashes collide that often, but was " + targetErrorRate);
        }
        return switch (type) {
            case CUCKOO -> cuckoo(expectedEntries, targetErrorRate);
            case BLOOM -> bloom(expectedEntries, targetErrorRate);
            case BLOCKED_BLOOM -> blockedBloom(expectedEntries, targetErrorRate);
            case COUNTING_BLOOM -> countingBloom(expectedEntries, targetErrorRate);
            case D_LEFT_COUNTING_BLOOM -> dLeft(expectedEntries, targetErrorRate);
            case SCALABLE -> bloom(expectedEntries, targetErrorRate / 2).as(FilterType.SCALABLE, targetErrorRate);
        };
    }

    /**
     * Plans all types that reach a rate, smallest first: what the rate costs, and what removal or growth costs in
     * addition.
     *
     * @throws IllegalArgumentException as {@link #plan} does for invalid arguments
     */
    public static List<FilterSizing> compare(long expectedEntries, double targetErrorRate) {
        return Arrays.stream(FilterType.values())
                .filter(type -> targetErrorRate >= strictestRate(type) || !(targetErrorRate >= MIN_ERROR_RATE))
                .map(type -> plan(type, expectedEntries, targetErrorRate))
                .sorted(Comparator.comparingLong(FilterSizing::bytes))
                .toList();
    }

    /** The share of absent keys whose hash equals that of an entry. */
    private static double equalHashes(long entries) {
        return entries * 0x1p-64;
    }

    /** The error rate of a table together with that of the hashes. */
    private static double withEqualHashes(double rate, long entries) {
        return rate + equalHashes(entries) * (1 - rate);
    }

    private static double strictestRate(FilterType type) {
        return switch (type) {
            case CUCKOO -> CUCKOO_ERROR_RATE;
            case D_LEFT_COUNTING_BLOOM -> D_LEFT_ERROR_RATE;
            case BLOCKED_BLOOM -> BLOCKED_BLOOM_ERROR_RATE;
            case BLOOM, COUNTING_BLOOM, SCALABLE -> MIN_ERROR_RATE;
        };
    }

    /** Slots for entries (cuckoo), cells (d-left), counters (counting Bloom) or single bits (all others). */
    public long slots() {
        return switch (type) {
            case CUCKOO -> bits / LANE_BITS;
            case D_LEFT_COUNTING_BLOOM -> bits / DLeftCountingBloomFilter.CELL_BITS;
            case COUNTING_BLOOM -> bits / CountingBloomFilter.COUNTER_BITS;
            case BLOOM, BLOCKED_BLOOM, SCALABLE -> bits;
        };
    }

    /** The size of the table in bytes, in whole words, without the few kilobytes that every filter has. */
    public long bytes() {
        return (bits + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    /** The cost of an entry in bits when {@code expectedEntries} are held. */
    public double bitsPerEntry() {
        return (double) bits / expectedEntries;
    }

    /**
     * One line for people: what this plan costs and gives. The text is English, whatever the locale, and may change.
     */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%s: %,d entries in %,d bytes, %.1f bits each, %d probes, error rate %.2g (asked for %.2g)",
                type,
                expectedEntries,
                bytes(),
                bitsPerEntry(),
                probes,
                predictedErrorRate,
                targetErrorRate);
    }

    private static void requireReachable(FilterType type, double rate, String why) {
        double strictest = strictestRate(type);
        if (rate < strictest) {
            throw new IllegalArgumentException("targetErrorRate of " + type + " must be " + strictest
                    + " or more, since " + why + ", but was " + rate + "; " + reaching(rate));
        }
    }

    /** The smallest types that reach a rate too strict for another. */
    private static String reaching(double rate) {
        return (rate >= D_LEFT_ERROR_RATE ? FilterType.D_LEFT_COUNTING_BLOOM : FilterType.COUNTING_BLOOM)
                + " reaches it, and " + FilterType.BLOOM + " with fewer bits but without removal";
    }

    private static FilterSizing cuckoo(long entries, double rate) {
        requireReachable(FilterType.CUCKOO, rate, "it has one shape only");
        long buckets = (long) Math.ceil(entries / (LANES * FULL)) + SPARE_BUCKETS;
        long slots = buckets * LANES;
        double load = (double) entries / slots;
        double predicted = -Math.expm1(2 * LANES * load * Math.log1p(-1.0 / ((1 << LANE_BITS) - 1)));
        return new FilterSizing(
                FilterType.CUCKOO, entries, rate, slots * LANE_BITS, 2, withEqualHashes(predicted, entries));
    }

    private static FilterSizing blockedBloom(long entries, double rate) {
        requireReachable(
                FilterType.BLOCKED_BLOOM, rate, "crowded blocks would make it larger than any other below that");
        double withOneBit = BlockRate.entriesForRate(rate - equalHashes(entries), 1);
        double withTwoBits = BlockRate.entriesForRate(rate - equalHashes(entries), 2);
        int bitsAWord = withOneBit >= withTwoBits ? 1 : 2;
        long blocks = (long) Math.ceil(entries / Math.max(withOneBit, withTwoBits));
        long bits = blocks * BlockedBloomFilter.BLOCK_BITS;
        return new FilterSizing(
                FilterType.BLOCKED_BLOOM,
                entries,
                rate,
                bits,
                bitsAWord * BlockedBloomFilter.BLOCK_WORDS,
                withEqualHashes(BlockRate.of((double) entries / blocks, bitsAWord), entries));
    }

    private static FilterSizing countingBloom(long entries, double rate) {
        FilterSizing bloom = bloom(entries, rate);
        return new FilterSizing(
                FilterType.COUNTING_BLOOM,
                entries,
                rate,
                bloom.bits * CountingBloomFilter.COUNTER_BITS,
                bloom.probes,
                bloom.predictedErrorRate);
    }

    private static FilterSizing dLeft(long entries, double rate) {
        requireReachable(FilterType.D_LEFT_COUNTING_BLOOM, rate, "it has one shape only");
        int cells = DLeftCountingBloomFilter.SUBTABLES * DLeftCountingBloomFilter.CELLS;
        long buckets = (long) Math.ceil(entries / (cells * D_LEFT_FULL));
        double values = Math.pow(2, DLeftCountingBloomFilter.countingBits(buckets));
        return new FilterSizing(
                FilterType.D_LEFT_COUNTING_BLOOM,
                entries,
                rate,
                buckets * cells * DLeftCountingBloomFilter.CELL_BITS,
                DLeftCountingBloomFilter.SUBTABLES,
                -Math.expm1(entries * Math.log1p(-1 / values)));
    }

    private static FilterSizing bloom(long entries, double asked) {
        double ln2 = Math.log(2);
        double rate = Math.max(asked - equalHashes(entries), asked / 2);
        double wanted = Math.ceil(-entries * Math.log(rate) / (ln2 * ln2));
        int probes = (int) Math.max(1, Math.round(-Math.log(rate) / ln2));
        // A whole number of probes is never exactly the best one, so the bits are computed for the number used.
        double exact = Math.ceil(-probes * (double) entries / Math.log1p(-Math.pow(rate, 1.0 / probes)));
        long words = (long) Math.ceil(Math.max(wanted, exact) / Long.SIZE);
        long bits = words * Long.SIZE;
        double predicted = Math.pow(-Math.expm1(-probes * (double) entries / bits), probes);
        return new FilterSizing(FilterType.BLOOM, entries, asked, bits, probes, withEqualHashes(predicted, entries));
    }

    private FilterSizing as(FilterType other, double rate) {
        return new FilterSizing(other, expectedEntries, rate, bits, probes, predictedErrorRate);
    }

    /**
     * The Bloom filter that is this layer of a scalable plan, starting from 0; each has room for twice as many entries
     * at half the rate.
     */
    FilterSizing layer(int number) {
        double power = Math.pow(2, number);
        return bloom((long) (expectedEntries * power), targetErrorRate / 2 / power);
    }

    boolean fitsAnArray() {
        return bytes() / Long.BYTES <= MAX_WORDS;
    }

    /** Size of the table in words, as an array length. */
    int words() {
        if (!fitsAnArray()) {
            boolean oneShape = type == FilterType.CUCKOO || type == FilterType.D_LEFT_COUNTING_BLOOM;
            throw new IllegalArgumentException("expectedEntries was " + expectedEntries + ", which needs " + bytes()
                    + " bytes as " + type + "; one filter holds at most " + MAX_WORDS * Long.BYTES
                    + " bytes; plan for fewer entries" + (oneShape ? "" : " or a higher error rate"));
        }
        return (int) (bytes() / Long.BYTES);
    }
}

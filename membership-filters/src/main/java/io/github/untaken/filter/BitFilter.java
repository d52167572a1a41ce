package io.github.untaken.filter;

/**
 * A filter of single bits, without the placement of an entry's bits: that, and the queries that use it, are all that a
 * subclass adds. This class has the table and whatever combines two tables of one shape.
 *
 * <p>Writers hold the lock of {@link #writers}; readers take none.
 */
/*
 * A superclass rather than a delegate, so that a query does not pay for it: a subclass reads the table from a final
 * field of its own object and answers in its own final method.
 */
abstract sealed class BitFilter implements CombinableMembershipFilter permits BloomFilter, BlockedBloomFilter {
    private static final int OBJECT_BYTES = 80;

    final WriterSide writers = new WriterSide();
    final long[] words;
    final BitShape shape;
    private final long capacity;

    BitFilter(BitShape shape, int words, long capacity) {
        this.words = new long[words];
        this.shape = shape;
        this.capacity = capacity;
    }

    /** Another filter of this shape, empty. */
    abstract BitFilter empty();

    /** Estimates how many different entries set this many bits. */
    abstract double entriesFor(long ones);

    @Override
    public final double estimatedEntries() {
        return entriesFor(BitTable.ones(words));
    }

    @Override
    public final double estimatedUnion(CombinableMembershipFilter other) {
        return entriesFor(BitTable.onesInEither(words, equallyShaped(other).words));
    }

    @Override
    public final double estimatedIntersection(CombinableMembershipFilter other) {
        return Math.max(0, estimatedEntries() + other.estimatedEntries() - estimatedUnion(other));
    }

    @Override
    public final CombinableMembershipFilter union(CombinableMembershipFilter other) {
        BitFilter with = equallyShaped(other);
        BitFilter either = empty();
        either.writers.count(entries() + with.entries());
        BitTable.copyEither(words, with.words, either.words);
        return either;
    }

    @Override
    public final CombinableMembershipFilter intersection(CombinableMembershipFilter other) {
        BitFilter with = equallyShaped(other);
        BitFilter both = empty();
        both.writers.count(Math.min(entries(), with.entries()));
        BitTable.copyBoth(words, with.words, both.words);
        return both;
    }

    private BitFilter equallyShaped(CombinableMembershipFilter other) {
        if (!(other instanceof BitFilter bits)) {
            throw new IllegalArgumentException("other must be a filter of single bits to be combined with this one ("
                    + shape + "), but was " + other);
        }
        shape.requireEqual(bits.shape);
        return bits;
    }

    @Override
    public final long entries() {
        return writers.entries();
    }

    @Override
    public final long capacity() {
        return capacity;
    }

    @Override
    public final long bytes() {
        return OBJECT_BYTES + writers.bytes() + 16 + (long) words.length * Long.BYTES;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[entries=" + entries() + ", capacity=" + capacity + ", bits="
                + shape.bits() + ", probes=" + shape.probes() + "]";
    }
}

package io.github.untaken.filter;

/**
 * What must be equal for two tables of bits to be combined.
 *
 * @param hasherMark the hash of a fixed text by the hasher that feeds the filter, 0 if unknown; a hash, so never shown
 */
record BitShape(FilterType type, long bits, int probes, long hasherMark) {
    private static final String MARK = "which secret feeds this filter?";

    static BitShape of(FilterSizing plan, KeyHasher hasher) {
        long mark = hasher.hash(MARK);
        return new BitShape(plan.type(), plan.bits(), plan.probes(), mark == 0 ? 1 : mark);
    }

    static BitShape of(FilterSizing plan) {
        return new BitShape(plan.type(), plan.bits(), plan.probes(), 0);
    }

    void requireEqual(BitShape other) {
        if (type != other.type || bits != other.bits || probes != other.probes) {
            throw new IllegalArgumentException(
                    "other must have the shape of this filter to be combined with it: this is "
                            + this + ", other is " + other
                            + "; make both for the same expectedEntries and targetErrorRate by the same factory");
        }
        if (hasherMark != other.hasherMark) {
            throw new IllegalArgumentException("other must have the KeyHasher of this filter to be combined with it,"
                    + " since under another secret equal keys set other bits; make both with one KeyHasher");
        }
    }

    @Override
    public String toString() {
        return type + " of " + bits + " bits and " + probes + " probes";
    }
}

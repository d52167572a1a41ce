package io.github.untaken.memory;

import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.RemovableMembershipFilter;

/**
 * A filter that tells so few hashes apart that strangers share entries all the time, and that refuses entries beyond a
 * limit: what happens to a real one once in a hundred million keys happens here in every run.
 */
public class CoarseFilter implements MembershipFilter {
    private final MembershipFilter exact;
    private final int bits;
    private final long limit;

    private CoarseFilter(MembershipFilter exact, int bits, long limit) {
        this.exact = exact;
        this.bits = bits;
        this.limit = limit;
    }

    public static MembershipFilter of(MembershipFilter exact, int bits, long limit) {
        return exact instanceof RemovableMembershipFilter removable
                ? new Removable(removable, bits, limit)
                : new CoarseFilter(exact, bits, limit);
    }

    /** A few bits, spread over the whole word again. */
    long coarse(long hash) {
        return (hash >>> (Long.SIZE - bits)) * 0x9e37_79b9_7f4a_7c15L;
    }

    @Override
    public boolean mightContain(long hash) {
        return exact.mightContain(coarse(hash));
    }

    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        for (int i = 0; i < hashes.length; i++) {
            results[i] = mightContain(hashes[i]);
        }
    }

    @Override
    public boolean add(long hash) {
        return exact.entries() < limit && exact.add(coarse(hash));
    }

    @Override
    public long entries() {
        return exact.entries();
    }

    @Override
    public long capacity() {
        return limit;
    }

    @Override
    public long bytes() {
        return exact.bytes();
    }

    private static final class Removable extends CoarseFilter implements RemovableMembershipFilter {
        private final RemovableMembershipFilter exact;

        Removable(RemovableMembershipFilter exact, int bits, long limit) {
            super(exact, bits, limit);
            this.exact = exact;
        }

        @Override
        public boolean remove(long hash) {
            return exact.remove(coarse(hash));
        }
    }
}

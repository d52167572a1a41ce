package io.github.untaken.benchmarks.subjects;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.RemovableMembershipFilter;

/** A member of our family behind its keyed hash, as the registry asks it. */
class UntakenSubject extends Subject implements BatchSubject, SizedSubject {
    private static final int BATCH = 16;

    private final KeyHasher hasher;
    private final MembershipFilter filter;
    /** The batch form is asked by one thread only. */
    private final long[] hashes = new long[BATCH];

    private UntakenSubject(KeyHasher hasher, MembershipFilter filter) {
        this.hasher = hasher;
        this.filter = filter;
    }

    static Subject of(KeyHasher hasher, MembershipFilter filter) {
        return filter instanceof RemovableMembershipFilter removable
                ? new Removable(hasher, removable)
                : new UntakenSubject(hasher, filter);
    }

    private static final class Removable extends UntakenSubject implements RemovableSubject {
        private final KeyHasher hasher;
        private final RemovableMembershipFilter filter;

        Removable(KeyHasher hasher, RemovableMembershipFilter filter) {
            super(hasher, filter);
            this.hasher = hasher;
            this.filter = filter;
        }

        @Override
        public void remove(String key) {
            filter.remove(hasher.hash(key));
        }
    }

    @Override
    public boolean add(String key) {
        return filter.add(hasher.hash(key));
    }

    @Override
    public boolean mightContain(String key) {
        return filter.mightContain(hasher.hash(key));
    }

    @Override
    public void mightContainAll(String[] keys, int from, boolean[] results) {
        long[] some = results.length == BATCH ? hashes : new long[results.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = hasher.hash(keys[from + i]);
        }
        filter.mightContainAll(some, results);
    }

    @Override
    public long bytes() {
        return filter.bytes();
    }
}

package io.github.untaken.filter.examples;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.util.function.Predicate;

/** Keeps questions away from a list that is too large for memory. For any number of threads. */
final class BlackList {
    private final KeyHasher hasher = KeyHasher.random();
    private final MembershipFilter listed;
    private final Predicate<String> list;

    /** @param list a table or a file; asked for whom it names, and for one in a thousand of all others */
    BlackList(long expected, Predicate<String> list) {
        this.listed = MembershipFilters.blockedBloom(expected, 0.001);
        this.list = list;
    }

    /** To be called with each address of the list at the start, and with a new one before the list has it. */
    void note(String address) {
        listed.add(hasher.hash(address)); // never refused
    }

    /** Exact from the moment on that all have been noted. What is taken off the list only costs a question. */
    boolean names(String address) {
        return listed.mightContain(hasher.hash(address)) && list.test(address);
    }
}

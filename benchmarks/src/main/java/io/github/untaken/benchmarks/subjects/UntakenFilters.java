package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.BATCH;
import static io.github.untaken.benchmarks.subjects.Ability.GROWS;
import static io.github.untaken.benchmarks.subjects.Ability.KEYED;
import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.READERS_BESIDE_WRITER;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;
import static io.github.untaken.filter.FilterSizing.CUCKOO_ERROR_RATE;

import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Our own family. */
final class UntakenFilters {
    private static final long SECRET = 0x5eed_2026_1121L;

    static final KeyHasher HASHER = KeyHasher.of(SECRET, ~SECRET);
    static final KeyHasher SIP_HASHER = KeyHasher.of(HashAlgorithm.SIP_HASH_1_3, SECRET, ~SECRET);

    private UntakenFilters() {}

    static List<SubjectEntry> entries() {
        return List.of(
                member("untaken-cuckoo", able(REMOVES, GROWS), 4, MembershipFilters::cuckoo),
                new SubjectEntry(
                        "untaken-cuckoo-siphash",
                        "KeyHasher by SIP_HASH_1_3, mightContain(long)",
                        able(REMOVES, GROWS),
                        4,
                        n -> UntakenSubject.of(SIP_HASHER, MembershipFilters.cuckoo(n))),
                member("untaken-bloom", able(), 3, n -> MembershipFilters.bloom(n, CUCKOO_ERROR_RATE)),
                member("untaken-blocked-bloom", able(), 4, n -> MembershipFilters.blockedBloom(n, CUCKOO_ERROR_RATE)),
                member(
                        "untaken-counting-bloom",
                        able(REMOVES),
                        12,
                        n -> MembershipFilters.countingBloom(n, CUCKOO_ERROR_RATE)),
                member("untaken-d-left", able(REMOVES), 8, MembershipFilters::dLeftCountingBloom),
                member("untaken-scalable", able(GROWS), 6, n -> MembershipFilters.scalable(n, CUCKOO_ERROR_RATE)));
    }

    private static SubjectEntry member(
            String name, Set<Ability> abilities, double bytes, IntFunction<MembershipFilter> maker) {
        return new SubjectEntry(
                name,
                "KeyHasher.hash(String), mightContain(long)",
                abilities,
                bytes,
                n -> UntakenSubject.of(HASHER, maker.apply(n)));
    }

    /** What all members can do, and more. */
    private static Set<Ability> able(Ability... more) {
        Set<Ability> all = EnumSet.of(READERS, READERS_BESIDE_WRITER, BATCH, KEYED);
        all.addAll(List.of(more));
        return all;
    }
}

package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.KEYED;
import static io.github.untaken.benchmarks.subjects.Ability.READERS;

import java.util.EnumSet;
import java.util.List;

/** No sets: what of a lookup the hash costs. */
final class HashesAlone {
    private HashesAlone() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                                "hash-only-limit",
                                "the hash of the limit, no set",
                                EnumSet.of(READERS),
                                1,
                                n -> new HashAlone(BareHash::hash))
                        .atMost(1_000_000),
                new SubjectEntry(
                                "hash-only-keyed",
                                "KeyHasher, no set",
                                EnumSet.of(READERS, KEYED),
                                1,
                                n -> new HashAlone(UntakenFilters.HASHER::hash))
                        .atMost(1_000_000),
                new SubjectEntry(
                                "hash-only-siphash",
                                "KeyHasher by SIP_HASH_1_3, no set",
                                EnumSet.of(READERS, KEYED),
                                1,
                                n -> new HashAlone(UntakenFilters.SIP_HASHER::hash))
                        .atMost(1_000_000));
    }
}

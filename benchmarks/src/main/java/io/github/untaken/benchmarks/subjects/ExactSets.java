package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.EXACT;
import static io.github.untaken.benchmarks.subjects.Ability.HASH_CODE;
import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.READERS_BESIDE_WRITER;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What keeps the keys themselves, or digests too long to meet, in memory. */
final class ExactSets {
    private ExactSets() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                        "concurrent-key-set",
                        "ConcurrentHashMap.newKeySet(n), add, contains, remove",
                        EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER, EXACT, HASH_CODE),
                        180,
                        n -> ofSet(ConcurrentHashMap.newKeySet(n))),
                new SubjectEntry(
                                "hash-set",
                                "HashSet, add, contains, remove",
                                EnumSet.of(REMOVES, READERS, EXACT, HASH_CODE),
                                180,
                                n -> ofSet(new HashSet<>((int) Math.ceil(n / 0.75))))
                        .asSideline(),
                new SubjectEntry(
                                "digest-set",
                                "HashSet of the MD5 of the UTF-8 bytes",
                                EnumSet.of(REMOVES, EXACT),
                                100,
                                DigestSet::new)
                        .asSideline());
    }

    private static Subject ofSet(Set<String> set) {
        return ByFunctions.removable(set::add, set::contains, set::remove);
    }
}

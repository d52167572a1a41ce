package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;

import java.util.EnumSet;
import java.util.List;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloom;
import org.fastfilter.cuckoo.Cuckoo16;
import org.fastfilter.cuckoo.CuckooPlus16;
import org.fastfilter.xor.Xor16;

/** The fastfilter library, most of whose filters are built from all keys at once. */
final class FastFilters {
    private static final String HASHED = "construct(hashes), mayContain(long), the limit's hash";

    private FastFilters() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                        "fastfilter-cuckoo16",
                        "insert(long), mayContain(long), the limit's hash",
                        EnumSet.of(READERS),
                        11,
                        n -> new FastFilterSubject(n, Cuckoo16::construct)),
                new SubjectEntry(
                                "fastfilter-cuckooplus16",
                                HASHED,
                                EnumSet.of(READERS),
                                11,
                                n -> new FastFilterSubject(n, CuckooPlus16::construct))
                        .asSideline(),
                new SubjectEntry(
                        "fastfilter-xor16",
                        HASHED,
                        EnumSet.of(READERS),
                        30,
                        n -> new FastFilterSubject(n, Xor16::construct)),
                new SubjectEntry(
                        "fastfilter-blocked-bloom",
                        HASHED + ", 24 bits",
                        EnumSet.of(READERS),
                        12,
                        n -> new FastFilterSubject(n, hashes -> BlockedBloom.construct(hashes, 24))),
                new SubjectEntry(
                        "fastfilter-counting",
                        "SuccinctCountingBlockedBloom, 20 bits, add, remove, mayContain, the limit's hash",
                        EnumSet.of(REMOVES, READERS),
                        20,
                        n -> FastFilterSubject.removable(
                                n, hashes -> SuccinctCountingBlockedBloom.construct(hashes, 20))));
    }
}

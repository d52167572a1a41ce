package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.HASH_CODE;
import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;

import java.util.EnumSet;
import java.util.List;

/** What popular articles advise, written anew from their descriptions. */
final class ArticleFilters {
    private ArticleFilters() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                                "hash-code-cuckoo",
                                "8-bit fingerprints of String.hashCode(), written anew",
                                EnumSet.of(REMOVES, READERS, HASH_CODE),
                                4,
                                HashCodeCuckoo::new)
                        .asSideline(),
                new SubjectEntry(
                                "one-hash-bitmap",
                                "one bit a key, the limit's hash",
                                EnumSet.of(READERS),
                                3,
                                OneHashBitmap::new)
                        .asSideline(),
                new SubjectEntry(
                                "three-string-hashes",
                                "Bloom filter, 4 bits a key, BKDR, AP and DJB, written anew",
                                EnumSet.of(READERS),
                                2,
                                ThreeStringHashes::new)
                        .asSideline());
    }
}

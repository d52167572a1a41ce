package io.github.untaken.benchmarks.subjects;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All rows of the comparison. A new one is one entry in the file of its family. Whoever lets its user choose the error rate is
 * asked for that of the cuckoo filter.
 */
public final class SubjectCatalog {
    private static final List<SubjectEntry> ALL = Stream.of(
                    UntakenFilters.entries(),
                    GuavaFilters.entries(),
                    CommonsFilters.entries(),
                    FastFilters.entries(),
                    BloomLibraries.entries(),
                    ExactSets.entries(),
                    Databases.entries(),
                    ArticleFilters.entries(),
                    HashesAlone.entries())
            .flatMap(List::stream)
            .toList();

    private SubjectCatalog() {}

    /** In the order of the table. */
    public static List<SubjectEntry> entries() {
        return ALL;
    }

    /** The entry of this name. */
    public static Optional<SubjectEntry> find(String name) {
        return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }
}

package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.EXACT;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;

import java.util.EnumSet;
import java.util.List;

/** What one asks without any of this. */
final class Databases {
    private Databases() {}

    static List<SubjectEntry> entries() {
        return List.of(new SubjectEntry(
                        "h2-index",
                        "JDBC, prepared select by a unique index, H2 on disk, its default cache",
                        EnumSet.of(REMOVES, EXACT),
                        60,
                        n -> new IndexedTable())
                .atMost(10_000_000)
                .asSideline());
    }
}

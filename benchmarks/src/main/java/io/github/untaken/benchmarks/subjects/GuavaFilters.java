package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.READERS_BESIDE_WRITER;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;
import static io.github.untaken.filter.FilterSizing.CUCKOO_ERROR_RATE;

import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;

/** Filters fed by Guava's funnels: its own, and the cuckoo filter that is made of its parts. */
final class GuavaFilters {
    private GuavaFilters() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                        "guava-bloom",
                        "BloomFilter.create(unencodedCharsFunnel()), put, mightContain",
                        EnumSet.of(READERS, READERS_BESIDE_WRITER),
                        3,
                        GuavaFilters::guava),
                new SubjectEntry(
                                "guava-bloom-utf8",
                                "BloomFilter.create(stringFunnel(UTF_8)), put, mightContain",
                                EnumSet.of(READERS, READERS_BESIDE_WRITER),
                                3,
                                GuavaFilters::guavaUtf8)
                        .asSideline(),
                new SubjectEntry(
                        "cuckoofilter4j",
                        "CuckooFilter.Builder(unencodedCharsFunnel(), n).withFalsePositiveRate, put, mightContain, delete",
                        EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER),
                        4,
                        GuavaFilters::cuckooFilter4j));
    }

    private static Subject guava(int keys) {
        var filter = BloomFilter.create(Funnels.unencodedCharsFunnel(), keys, CUCKOO_ERROR_RATE);
        return new ByFunctions(
                key -> {
                    filter.put(key);
                    return true;
                },
                filter::mightContain);
    }

    private static Subject guavaUtf8(int keys) {
        var filter = BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), keys, CUCKOO_ERROR_RATE);
        return new ByFunctions(
                key -> {
                    filter.put(key);
                    return true;
                },
                filter::mightContain);
    }

    private static Subject cuckooFilter4j(int keys) {
        CuckooFilter<CharSequence> filter = new CuckooFilter.Builder<>(Funnels.unencodedCharsFunnel(), keys)
                .withFalsePositiveRate(CUCKOO_ERROR_RATE)
                .build();
        return ByFunctions.removable(filter::put, filter::mightContain, filter::delete);
    }
}

package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.READERS_BESIDE_WRITER;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;
import static io.github.untaken.filter.FilterSizing.CUCKOO_ERROR_RATE;

import com.clearspring.analytics.stream.membership.BloomFilter;
import java.util.EnumSet;
import java.util.List;
import orestes.bloomfilter.CountingBloomFilter;
import orestes.bloomfilter.FilterBuilder;

/** Bloom filters of further libraries, each with the hash that it brings along. */
final class BloomLibraries {
    private BloomLibraries() {}

    static List<SubjectEntry> entries() {
        return List.of(
                new SubjectEntry(
                                "orestes-bloom",
                                "FilterBuilder(n, rate).buildBloomFilter(), add, contains",
                                EnumSet.of(READERS, READERS_BESIDE_WRITER),
                                4,
                                BloomLibraries::orestes)
                        .atMost(100_000_000),
                new SubjectEntry(
                                "orestes-counting",
                                "FilterBuilder(n, rate).countingBits(8).buildCountingBloomFilter(), add, contains, remove",
                                EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER),
                                30,
                                BloomLibraries::orestesCounting)
                        .atMost(10_000_000)
                        .asSideline(),
                new SubjectEntry(
                                "hutool-bloom",
                                "BitSetBloomFilter with 20 bits a key and 13 hashes, add, contains",
                                EnumSet.of(READERS),
                                4,
                                BloomLibraries::hutool)
                        .atMost(100_000_000)
                        .asSideline(),
                new SubjectEntry(
                                "stream-lib-bloom",
                                "BloomFilter(n, rate), add, isPresent",
                                EnumSet.of(READERS),
                                4,
                                BloomLibraries::streamLib)
                        .atMost(100_000_000)
                        .asSideline(),
                new SubjectEntry(
                        "spark-bloom",
                        "BloomFilter.create(n, rate), putString, mightContainString",
                        EnumSet.of(READERS),
                        4,
                        BloomLibraries::spark));
    }

    private static Subject orestes(int keys) {
        orestes.bloomfilter.BloomFilter<String> filter = new FilterBuilder(keys, CUCKOO_ERROR_RATE).buildBloomFilter();
        return new ByFunctions(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::contains);
    }

    private static Subject orestesCounting(int keys) {
        CountingBloomFilter<String> filter =
                new FilterBuilder(keys, CUCKOO_ERROR_RATE).countingBits(8).buildCountingBloomFilter();
        return ByFunctions.removable(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::contains,
                filter::remove);
    }

    private static Subject hutool(int keys) {
        // Its table has as many bits as its first argument times its third: here 20 for a key.
        var filter = new cn.hutool.bloomfilter.BitSetBloomFilter((int) Math.ceil(keys * 20.0 / 13), keys, 13);
        return new ByFunctions(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::contains);
    }

    private static Subject streamLib(int keys) {
        BloomFilter filter = new BloomFilter(keys, CUCKOO_ERROR_RATE);
        return new ByFunctions(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::isPresent);
    }

    private static Subject spark(int keys) {
        var filter = org.apache.spark.util.sketch.BloomFilter.create((long) keys, CUCKOO_ERROR_RATE);
        return new ByFunctions(
                key -> {
                    filter.putString(key);
                    return true;
                },
                filter::mightContainString);
    }
}

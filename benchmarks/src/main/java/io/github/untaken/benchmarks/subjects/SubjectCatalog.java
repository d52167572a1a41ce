package io.github.untaken.benchmarks.subjects;

import static io.github.untaken.benchmarks.subjects.Ability.BATCH;
import static io.github.untaken.benchmarks.subjects.Ability.EXACT;
import static io.github.untaken.benchmarks.subjects.Ability.GROWS;
import static io.github.untaken.benchmarks.subjects.Ability.HASH_CODE;
import static io.github.untaken.benchmarks.subjects.Ability.KEYED;
import static io.github.untaken.benchmarks.subjects.Ability.READERS;
import static io.github.untaken.benchmarks.subjects.Ability.READERS_BESIDE_WRITER;
import static io.github.untaken.benchmarks.subjects.Ability.REMOVES;

import com.clearspring.analytics.stream.membership.BloomFilter;
import com.github.mgunlogson.cuckoofilter4j.CuckooFilter;
import com.google.common.hash.Funnels;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import orestes.bloomfilter.CountingBloomFilter;
import orestes.bloomfilter.FilterBuilder;
import org.apache.commons.collections4.bloomfilter.ArrayCountingBloomFilter;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloom;
import org.fastfilter.cuckoo.Cuckoo16;
import org.fastfilter.cuckoo.CuckooPlus16;
import org.fastfilter.xor.Xor16;

/**
 * All rows of the comparison. A new one is one entry here. Whoever lets its user choose the error rate is asked for that of the
 * cuckoo filter.
 */
public final class SubjectCatalog {
    private static final double RATE = FilterSizing.CUCKOO_ERROR_RATE;
    private static final int MANY = 200_000_000;
    private static final KeyHasher HASHER = KeyHasher.of(0x5eed_2026_1121L, ~0x5eed_2026_1121L);

    private static final KeyHasher SIP_HASHER =
            KeyHasher.of(HashAlgorithm.SIP_HASH_1_3, 0x5eed_2026_1121L, ~0x5eed_2026_1121L);

    /** Too slow to fill, or too near to another, for a quick run at ten million. */
    private static final Set<String> SIDELINES = Set.of(
            "guava-bloom-utf8",
            "fastfilter-cuckooplus16",
            "orestes-counting",
            "hutool-bloom",
            "stream-lib-bloom",
            "hash-set",
            "digest-set",
            "h2-index",
            "hash-code-cuckoo",
            "one-hash-bitmap",
            "three-string-hashes");

    private static final List<SubjectEntry> ALL = all();

    private SubjectCatalog() {}

    /** In the order of the table. */
    public static List<SubjectEntry> entries() {
        return ALL;
    }

    /** The entry of this name. */
    public static Optional<SubjectEntry> find(String name) {
        return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    private static List<SubjectEntry> all() {
        List<SubjectEntry> all = new ArrayList<>();
        family(all);
        libraries(all);
        exact(all);
        articles(all);
        hashes(all);
        return all.stream()
                .map(entry -> SIDELINES.contains(entry.name()) ? entry.asSideline() : entry)
                .toList();
    }

    private static SubjectEntry entry(
            String name, String used, Set<Ability> can, double bytes, int most, IntFunction<Subject> maker) {
        return new SubjectEntry(name, used, can, bytes, most, maker);
    }

    private static void family(List<SubjectEntry> all) {
        Set<Ability> asking = EnumSet.of(READERS, READERS_BESIDE_WRITER, BATCH, KEYED);
        all.add(member("untaken-cuckoo", with(asking, REMOVES, GROWS), 4, MembershipFilters::cuckoo));
        all.add(new SubjectEntry(
                "untaken-cuckoo-siphash",
                "KeyHasher by SIP_HASH_1_3, mightContain(long)",
                with(asking, REMOVES, GROWS),
                4,
                MANY,
                n -> new UntakenSubject(SIP_HASHER, MembershipFilters.cuckoo(n))));
        all.add(member("untaken-bloom", asking, 3, n -> MembershipFilters.bloom(n, RATE)));
        all.add(member("untaken-blocked-bloom", asking, 4, n -> MembershipFilters.blockedBloom(n, RATE)));
        all.add(member(
                "untaken-counting-bloom", with(asking, REMOVES), 12, n -> MembershipFilters.countingBloom(n, RATE)));
        all.add(member("untaken-d-left", with(asking, REMOVES), 8, MembershipFilters::dLeftCountingBloom));
        all.add(member("untaken-scalable", with(asking, GROWS), 6, n -> MembershipFilters.scalable(n, RATE)));
    }

    private static SubjectEntry member(
            String name, Set<Ability> abilities, double bytes, IntFunction<MembershipFilter> maker) {
        return new SubjectEntry(
                name,
                "KeyHasher.hash(String), mightContain(long)",
                abilities,
                bytes,
                MANY,
                n -> new UntakenSubject(HASHER, maker.apply(n)));
    }

    private static Set<Ability> with(Set<Ability> abilities, Ability... more) {
        Set<Ability> all = EnumSet.copyOf(abilities);
        all.addAll(List.of(more));
        return all;
    }

    private static void libraries(List<SubjectEntry> all) {
        all.add(entry(
                "guava-bloom",
                "BloomFilter.create(unencodedCharsFunnel()), put, mightContain",
                EnumSet.of(READERS, READERS_BESIDE_WRITER),
                3,
                MANY,
                SubjectCatalog::guava));
        all.add(entry(
                "guava-bloom-utf8",
                "BloomFilter.create(stringFunnel(UTF_8)), put, mightContain",
                EnumSet.of(READERS, READERS_BESIDE_WRITER),
                3,
                MANY,
                SubjectCatalog::guavaUtf8));
        all.add(entry(
                "cuckoofilter4j",
                "CuckooFilter.Builder(unencodedCharsFunnel(), n).withFalsePositiveRate, put, mightContain, delete",
                EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER),
                4,
                MANY,
                SubjectCatalog::cuckooFilter4j));
        all.add(entry(
                "commons-bloom",
                "SimpleBloomFilter, EnhancedDoubleHasher of the limit's hash",
                EnumSet.of(READERS),
                3,
                100_000_000,
                SubjectCatalog::commons));
        all.add(entry(
                "commons-counting",
                "ArrayCountingBloomFilter, EnhancedDoubleHasher of the limit's hash",
                EnumSet.of(REMOVES, READERS),
                100,
                20_000, // every add makes a bitmap as long as the filter
                SubjectCatalog::commonsCounting));
        String hashed = "construct(hashes), mayContain(long), the limit's hash";
        all.add(entry(
                "fastfilter-cuckoo16",
                "insert(long), mayContain(long), the limit's hash",
                EnumSet.of(READERS),
                11,
                MANY,
                n -> new FastFilterSubject(n, Cuckoo16::construct)));
        all.add(entry(
                "fastfilter-cuckooplus16",
                hashed,
                EnumSet.of(READERS),
                11,
                MANY,
                n -> new FastFilterSubject(n, CuckooPlus16::construct)));
        all.add(entry(
                "fastfilter-xor16",
                hashed,
                EnumSet.of(READERS),
                30,
                MANY,
                n -> new FastFilterSubject(n, Xor16::construct)));
        all.add(entry(
                "fastfilter-blocked-bloom",
                hashed + ", 24 bits",
                EnumSet.of(READERS),
                12,
                MANY,
                n -> new FastFilterSubject(n, hashes -> BlockedBloom.construct(hashes, 24))));
        all.add(entry(
                "fastfilter-counting",
                "SuccinctCountingBlockedBloom, 20 bits, add, remove, mayContain, the limit's hash",
                EnumSet.of(REMOVES, READERS),
                20,
                MANY,
                n -> new FastFilterSubject(n, hashes -> SuccinctCountingBlockedBloom.construct(hashes, 20))));
        all.add(entry(
                "orestes-bloom",
                "FilterBuilder(n, rate).buildBloomFilter(), add, contains",
                EnumSet.of(READERS, READERS_BESIDE_WRITER),
                4,
                100_000_000,
                SubjectCatalog::orestes));
        all.add(entry(
                "orestes-counting",
                "FilterBuilder(n, rate).countingBits(8).buildCountingBloomFilter(), add, contains, remove",
                EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER),
                30,
                10_000_000,
                SubjectCatalog::orestesCounting));
        all.add(entry(
                "hutool-bloom",
                "BitSetBloomFilter with 20 bits a key and 13 hashes, add, contains",
                EnumSet.of(READERS),
                4,
                100_000_000,
                SubjectCatalog::hutool));
        all.add(entry(
                "stream-lib-bloom",
                "BloomFilter(n, rate), add, isPresent",
                EnumSet.of(READERS),
                4,
                100_000_000,
                SubjectCatalog::streamLib));
        all.add(entry(
                "spark-bloom",
                "BloomFilter.create(n, rate), putString, mightContainString",
                EnumSet.of(READERS),
                4,
                MANY,
                SubjectCatalog::spark));
    }

    private static void exact(List<SubjectEntry> all) {
        all.add(entry(
                "concurrent-key-set",
                "ConcurrentHashMap.newKeySet(n), add, contains, remove",
                EnumSet.of(REMOVES, READERS, READERS_BESIDE_WRITER, EXACT, HASH_CODE),
                180,
                MANY,
                n -> ofSet(ConcurrentHashMap.newKeySet(n))));
        all.add(entry(
                "hash-set",
                "HashSet, add, contains, remove",
                EnumSet.of(REMOVES, READERS, EXACT, HASH_CODE),
                180,
                MANY,
                n -> ofSet(new HashSet<>((int) Math.ceil(n / 0.75)))));
        all.add(entry(
                "digest-set",
                "HashSet of the MD5 of the UTF-8 bytes",
                EnumSet.of(REMOVES, EXACT),
                100,
                MANY,
                DigestSet::new));
        all.add(entry(
                "h2-index",
                "JDBC, prepared select by a unique index, H2 on disk, its default cache",
                EnumSet.of(REMOVES, EXACT),
                60,
                10_000_000,
                n -> new IndexedTable()));
    }

    private static void articles(List<SubjectEntry> all) {
        all.add(entry(
                "hash-code-cuckoo",
                "8-bit fingerprints of String.hashCode(), written anew",
                EnumSet.of(REMOVES, READERS, HASH_CODE),
                4,
                MANY,
                HashCodeCuckoo::new));
        all.add(entry(
                "one-hash-bitmap",
                "one bit a key, the limit's hash",
                EnumSet.of(READERS),
                3,
                MANY,
                OneHashBitmap::new));
        all.add(entry(
                "three-string-hashes",
                "Bloom filter, 4 bits a key, BKDR, AP and DJB, written anew",
                EnumSet.of(READERS),
                2,
                MANY,
                ThreeStringHashes::new));
    }

    private static void hashes(List<SubjectEntry> all) {
        all.add(entry(
                "hash-only-limit",
                "the hash of the limit, no set",
                EnumSet.of(READERS),
                1,
                1_000_000,
                n -> new HashAlone(BareHash::hash)));
        all.add(entry(
                "hash-only-keyed",
                "KeyHasher, no set",
                EnumSet.of(READERS, KEYED),
                1,
                1_000_000,
                n -> new HashAlone(HASHER::hash)));
        all.add(new SubjectEntry(
                "hash-only-siphash",
                "KeyHasher by SIP_HASH_1_3, no set",
                EnumSet.of(READERS, KEYED),
                1,
                1_000_000,
                n -> new HashAlone(SIP_HASHER::hash)));
    }

    private static Subject guava(int keys) {
        var filter = com.google.common.hash.BloomFilter.create(Funnels.unencodedCharsFunnel(), keys, RATE);
        return new ByFunctions(
                key -> {
                    filter.put(key);
                    return true;
                },
                filter::mightContain,
                null);
    }

    private static Subject guavaUtf8(int keys) {
        var filter =
                com.google.common.hash.BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), keys, RATE);
        return new ByFunctions(
                key -> {
                    filter.put(key);
                    return true;
                },
                filter::mightContain,
                null);
    }

    private static Subject cuckooFilter4j(int keys) {
        CuckooFilter<CharSequence> filter = new CuckooFilter.Builder<>(Funnels.unencodedCharsFunnel(), keys)
                .withFalsePositiveRate(RATE)
                .build();
        return new ByFunctions(filter::put, filter::mightContain, filter::delete);
    }

    private static Hasher hasher(String key) {
        long hash = BareHash.hash(key);
        return new EnhancedDoubleHasher(hash, hash * 0x9e37_79b9_7f4a_7c15L);
    }

    private static Subject commons(int keys) {
        SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(keys, RATE));
        return new ByFunctions(key -> filter.merge(hasher(key)), key -> filter.contains(hasher(key)), null);
    }

    private static Subject commonsCounting(int keys) {
        ArrayCountingBloomFilter filter = new ArrayCountingBloomFilter(Shape.fromNP(keys, RATE));
        return new ByFunctions(
                key -> filter.merge(hasher(key)),
                key -> filter.contains(hasher(key)),
                key -> filter.remove(hasher(key)));
    }

    private static Subject orestes(int keys) {
        orestes.bloomfilter.BloomFilter<String> filter = new FilterBuilder(keys, RATE).buildBloomFilter();
        return new ByFunctions(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::contains,
                null);
    }

    private static Subject orestesCounting(int keys) {
        CountingBloomFilter<String> filter =
                new FilterBuilder(keys, RATE).countingBits(8).buildCountingBloomFilter();
        return new ByFunctions(
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
                filter::contains,
                null);
    }

    private static Subject streamLib(int keys) {
        BloomFilter filter = new BloomFilter(keys, RATE);
        return new ByFunctions(
                key -> {
                    filter.add(key);
                    return true;
                },
                filter::isPresent,
                null);
    }

    private static Subject spark(int keys) {
        var filter = org.apache.spark.util.sketch.BloomFilter.create((long) keys, RATE);
        return new ByFunctions(
                key -> {
                    filter.putString(key);
                    return true;
                },
                filter::mightContainString,
                null);
    }

    private static Subject ofSet(Set<String> set) {
        return new ByFunctions(set::add, set::contains, set::remove);
    }
}

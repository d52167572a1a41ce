package io.github.untaken.benchmarks;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** Everything that is asked, filled with the same keys; built once a JVM and number of keys. */
final class Subjects {
    private static final long SEED = 20261121;
    private static final double RATE = FilterSizing.CUCKOO_ERROR_RATE;
    /** Enough that no cache holds all probes, few enough to fit a small heap. */
    private static final int PROBES = 1 << 20;

    private static final ConcurrentHashMap<Integer, Subjects> BUILT = new ConcurrentHashMap<>();

    final String[] absent;
    final String[] present;
    final KeyHasher hasher = KeyHasher.of(SEED, ~SEED);
    final MembershipFilter cuckoo;
    final MembershipFilter bloom;
    final BloomFilter<CharSequence> guava;
    final BloomFilter<CharSequence> guavaUtf8;
    final Set<String> keySet;
    /** As large as the cuckoo filter's table, with nothing to find in it. */
    final long[] words;

    private Subjects(int keys) {
        SplittableRandom random = new SplittableRandom(SEED);
        absent = new String[PROBES];
        present = new String[PROBES];
        cuckoo = MembershipFilters.cuckoo(keys);
        bloom = MembershipFilters.bloom(keys, RATE);
        guava = BloomFilter.create(Funnels.unencodedCharsFunnel(), keys, RATE);
        guavaUtf8 = BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), keys, RATE);
        keySet = ConcurrentHashMap.newKeySet(keys);
        for (int i = 0; i < keys; i++) {
            String key = name(random, i);
            long hash = hasher.hash(key);
            if (!cuckoo.add(hash) || !bloom.add(hash)) {
                throw new IllegalStateException("entry " + i + " of " + keys + " was refused");
            }
            guava.put(key);
            guavaUtf8.put(key);
            keySet.add(key);
        }
        // New strings: a probe must not find its hash code cached, as that of a request's parameter never is.
        random = new SplittableRandom(SEED);
        String[] some = new String[Math.min(keys, PROBES)];
        for (int i = 0; i < some.length; i++) {
            some[i] = name(random, i);
        }
        SplittableRandom order = new SplittableRandom(SEED + 1);
        for (int i = 0; i < PROBES; i++) {
            // Copied, so that both kinds of probe lie in memory in the order in which they are asked.
            present[i] = new String(some[order.nextInt(some.length)].toCharArray());
            absent[i] = name(order, keys + i);
        }
        words = order.longs(FilterSizing.plan(FilterType.CUCKOO, keys).bytes() / Long.BYTES)
                .toArray();
    }

    static Subjects of(int keys) {
        return BUILT.computeIfAbsent(keys, Subjects::new);
    }

    /** 8 to 20 characters, distinct for distinct numbers. */
    private static String name(SplittableRandom random, int number) {
        char[] name = new char[random.nextInt(8, 21)];
        int at = name.length - 7;
        for (int i = 0; i < at; i++) {
            name[i] = (char) ('a' + random.nextInt(26));
        }
        // The suffix visits all of 36 to the 7th before it repeats.
        long suffix = number * 60_013_357L % 78_364_164_096L;
        for (int i = name.length - 1; i >= at; i--) {
            name[i] = Character.forDigit((int) (suffix % 36), 36);
            suffix /= 36;
        }
        return new String(name);
    }
}

package io.github.untaken.benchmarks.whitelist;

import io.github.untaken.benchmarks.Keys;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many store reads a whitelist saves, for each byte of it, by what it lets in: every name (the least recently asked gives way),
 * what Caffeine admits (as it is), or what is asked for the second time, by either. All have the same bytes: what remembers the first
 * requests costs entries.
 *
 * <p>Only those names come to a whitelist that the membership filter is wrong about. So each stream is sent through a real filter first:
 * the default one, a Bloom filter that errs a hundred times as often, and none. The last shows what a filter of 1e-4 leaves of ten
 * thousand times as many names.
 */
public final class AdmissionCost {
    private static final int NAMES = 10_000_000;
    private static final int TAKEN = 10_000_000;
    private static final long SEED = 20_261_127;
    private static final double OFTEN_WRONG = 0.01;
    private static final long[] ENTRIES = {10_000, 100_000};
    /** First requests that are remembered for each entry. */
    private static final int REMEMBERED = 16;

    private static final int MEASURED = 100_000;
    /** What stands behind each number. */
    private static final List<Object> SOME = List.of(1);

    private final PrintStream out;
    private final int names;
    private final KeyHasher hasher = KeyHasher.of(SEED, ~SEED);
    private final double caffeineBytes = bytesAnEntry(Absences::caffeine);
    private final double leastRecentBytes = bytesAnEntry(Absences::leastRecent);

    private AdmissionCost(PrintStream out, int names) {
        this.out = out;
        this.names = names;
    }

    /**
     * Prints the tables. Blocks for minutes.
     *
     * @param arguments the number of names that may come again (default 10000000)
     */
    public static void run(List<String> arguments, PrintStream out) {
        int names = arguments.isEmpty() ? NAMES : Integer.parseInt(arguments.get(0));
        new AdmissionCost(out, names).run();
    }

    /** What a filter lets pass. */
    private record Passing(String title, BitSet names) {}

    private void run() {
        out.printf(
                Locale.ROOT,
                "bytes an entry: %.0f in Caffeine, %.0f in a linked map, for names of 8 to 20 characters%n",
                caffeineBytes,
                leastRecentBytes);
        List<Passing> filters = List.of(
                passing("cuckoo filter", MembershipFilters.cuckoo(TAKEN)),
                passing("Bloom filter of 1e-2", MembershipFilters.bloom(TAKEN, OFTEN_WRONG)),
                new Passing("no filter", all()));
        out.printf(
                "%-20s %-9s %9s %9s %9s %8s  %s%n",
                "passed by",
                "stream",
                "requests",
                "names",
                "again",
                "entries",
                "every name           Caffeine             second request       second, Caffeine: saved, reads a KiB");
        Map<RequestStream, int[]> streams = new EnumMap<>(RequestStream.class);
        for (RequestStream stream : RequestStream.values()) {
            streams.put(stream, stream.requests(names, SEED));
        }
        for (Passing filter : filters) {
            streams.forEach((stream, requests) -> table(stream, filter, requests));
        }
    }

    private BitSet all() {
        BitSet all = new BitSet();
        all.set(0, 5 * names);
        return all;
    }

    /** Which of the free names a filter that holds the taken ones takes for one of them. */
    private Passing passing(String title, MembershipFilter filter) {
        for (long number = 0; number < TAKEN; number++) {
            filter.add(hasher.hash(Keys.NAMES.key(number)));
        }
        BitSet passed = new BitSet();
        for (int name = 0; name < 5 * names; name++) {
            passed.set(name, filter.mightContain(hasher.hash(Keys.NAMES.key(TAKEN + (long) name))));
        }
        return new Passing(title, passed);
    }

    private void table(RequestStream stream, Passing filter, int[] requests) {
        int[] come = Arrays.stream(requests).filter(filter.names()::get).toArray();
        BitSet different = new BitSet();
        for (int name : come) {
            different.set(name);
        }
        int again = come.length - different.cardinality();
        for (long entries : ENTRIES) {
            double bytes = entries * caffeineBytes;
            long seen = REMEMBERED * entries;
            double left = bytes - new AskedBefore(seen).bytes();
            LongFunction<Absences> leastRecent = Absences::leastRecent;
            Saved every = saved(come, leastRecent.apply((long) (bytes / leastRecentBytes)), leastRecentBytes, null);
            Saved caffeine = saved(come, Absences.caffeine(entries), caffeineBytes, null);
            Saved second = saved(
                    come, leastRecent.apply((long) (left / leastRecentBytes)), leastRecentBytes, new AskedBefore(seen));
            Saved both =
                    saved(come, Absences.caffeine((long) (left / caffeineBytes)), caffeineBytes, new AskedBefore(seen));
            out.printf(
                    Locale.ROOT,
                    "%-20s %-9s %9d %9d %9d %8d  %s  %s  %s  %s%n",
                    filter.title(),
                    stream,
                    come.length,
                    different.cardinality(),
                    again,
                    entries,
                    every.of(again),
                    caffeine.of(again),
                    second.of(again),
                    both.of(again));
        }
    }

    private record Saved(long reads, double bytes) {
        /** Of the reads that could be saved, and for each KiB that is used at the end. */
        String of(int again) {
            return String.format(Locale.ROOT, "%5.1f %% %8.2f", 100.0 * reads / again, reads * 1024 / bytes);
        }
    }

    private static Saved saved(int[] come, Absences whitelist, double bytesAnEntry, @Nullable AskedBefore asked) {
        long reads = 0;
        for (int name : come) {
            Long key = (long) name;
            if (whitelist.has(key)) {
                reads++;
            } else if (asked == null || asked.wasAsked(Keys.mix(name))) {
                whitelist.learn(key, SOME);
            }
        }
        return new Saved(reads, whitelist.size() * bytesAnEntry + (asked == null ? 0 : asked.bytes()));
    }

    /** With the text and the list of texts that the whitelist holds. */
    private static double bytesAnEntry(LongFunction<Absences> kind) {
        long before = used();
        Absences whitelist = kind.apply(MEASURED);
        for (int i = 0; i < MEASURED; i++) {
            String name = Keys.NAMES.key(i);
            whitelist.learn(name, List.of(name));
        }
        double bytes = (double) (used() - before) / MEASURED;
        if (whitelist.size() != MEASURED) {
            throw new IllegalStateException("names are missing");
        }
        return bytes;
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

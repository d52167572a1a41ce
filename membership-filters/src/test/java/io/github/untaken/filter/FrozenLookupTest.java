package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lookups share nothing that they write: many threads on one filter hear exactly what one thread heard. */
@Tag("ci")
@Tag("nightly")
class FrozenLookupTest {
    private static final int THREADS = 8;
    private static final int HASHES = 1 << 18;
    /** All threads together; {@code -Dlookups=100000000} for more. */
    private static final long LOOKUPS = Long.getLong("lookups", 5_000_000);

    private static final long SEED = 20261121;

    @ParameterizedTest
    @EnumSource
    void manyThreadsHearWhatOneHeard(FilterType type) {
        MembershipFilter filter = MembershipFilters.of(type, HASHES / 2);
        SplittableRandom random = new SplittableRandom(SEED);
        long[] hashes = random.longs(HASHES).toArray();
        for (int i = 0; i < HASHES / 2; i++) {
            filter.add(hashes[i]);
        }
        assertThat(filter.entries()).isEqualTo(HASHES / 2);
        BitSet alone = new BitSet(HASHES);
        for (int i = 0; i < HASHES; i++) {
            alone.set(i, filter.mightContain(hashes[i]));
        }
        List<CompletableFuture<Long>> others = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int offset = thread * (HASHES / THREADS);
            others.add(CompletableFuture.supplyAsync(
                    () -> disagreements(filter, hashes, alone, offset), work -> new Thread(work).start()));
        }
        long disagreements = others.stream().mapToLong(CompletableFuture::join).sum();
        assertThat(disagreements).as("of %d lookups, seed %d", LOOKUPS, SEED).isZero();
        assertThat(alone.cardinality()).isBetween(HASHES / 2, HASHES / 2 + HASHES / 1_000);
    }

    private static long disagreements(MembershipFilter filter, long[] hashes, BitSet alone, int offset) {
        long wrong = 0;
        boolean[] batch = new boolean[16];
        long[] group = new long[16];
        for (long i = 0; i < LOOKUPS / THREADS; i += 32) {
            int from = (int) (i + offset) & (HASHES - 32);
            for (int k = 0; k < 16; k++) {
                wrong += filter.mightContain(hashes[from + k]) == alone.get(from + k) ? 0 : 1;
                group[k] = hashes[from + 16 + k];
            }
            filter.mightContainAll(group, batch);
            for (int k = 0; k < 16; k++) {
                wrong += batch[k] == alone.get(from + 16 + k) ? 0 : 1;
            }
        }
        return wrong;
    }
}

package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
    private static final long SEED = 20261127;

    @Test
    void neverForgetsFarBeyondItsCapacity() {
        MembershipFilter filter = MembershipFilters.bloom(1_000, 0.001);
        long[] hashes = new SplittableRandom(SEED).longs(20_000).toArray();
        for (long hash : hashes) {
            assertThat(filter.add(hash)).isTrue();
        }
        assertThat(filter.entries()).isEqualTo(20_000).isGreaterThan(filter.capacity());
        for (long hash : hashes) {
            assertThat(filter.mightContain(hash)).isTrue();
        }
    }

    @Test
    void theBatchFormAgreesWithTheSingleForm() {
        MembershipFilter filter = MembershipFilters.bloom(1_000, 0.2);
        SplittableRandom random = new SplittableRandom(SEED);
        random.longs(1_000).forEach(filter::add);
        for (int size : new int[] {0, 1, 15, 16, 17, 5_000}) {
            long[] hashes = random.longs(size).toArray();
            boolean[] results = new boolean[size + 1];
            filter.mightContainAll(hashes, results);
            for (int i = 0; i < size; i++) {
                assertThat(results[i]).isEqualTo(filter.mightContain(hashes[i]));
            }
            assertThat(results[size]).isFalse();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> filter.mightContainAll(new long[3], new boolean[2]))
                .withMessageContaining("3 hashes");
    }

    @Test
    void isNoRemovableFilter() {
        assertThat(MembershipFilters.bloom(10, 0.1)).isNotInstanceOf(RemovableMembershipFilter.class);
    }

    @Test
    void showsSizeAndLoadOnly() {
        MembershipFilter filter = MembershipFilters.bloom(1_000, 0.01);
        filter.add(42);
        assertThat(filter.toString())
                .startsWith("BloomFilter[entries=1, capacity=1000, bits=")
                .endsWith("probes=7]");
    }
}

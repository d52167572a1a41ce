package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookupAllocationTest {
    private static final int LOOKUPS = 200_000;

    /** Measured by the JVM itself; it counts whole allocation buffers, hence the division. */
    @ParameterizedTest
    @CsvSource({
        "CUCKOO, PACKED_WORDS",
        "CUCKOO, SIP_HASH_1_3",
        "BLOOM, PACKED_WORDS",
        "BLOCKED_BLOOM, PACKED_WORDS",
        "COUNTING_BLOOM, PACKED_WORDS",
        "D_LEFT_COUNTING_BLOOM, PACKED_WORDS",
        "SCALABLE, PACKED_WORDS"
    })
    void aLookupFromAStringAllocatesNothing(FilterType type, HashAlgorithm algorithm) {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        KeyHasher hasher = KeyHasher.of(algorithm, 1, 2);
        MembershipFilter filter = MembershipFilters.of(type, 10_000);
        String[] keys = {"alice", "alice.smith42", "+8613800138000", "\u7528\u6237\u540d", "x".repeat(60)};
        filter.add(hasher.hash(keys[0]));
        long found = 0;
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < LOOKUPS; i++) {
                found += filter.mightContain(hasher.hash(keys[i % keys.length])) ? 1 : 0;
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(found).isGreaterThanOrEqualTo(3L * LOOKUPS / keys.length);
        assertThat(allocated / LOOKUPS).isZero();
    }
}

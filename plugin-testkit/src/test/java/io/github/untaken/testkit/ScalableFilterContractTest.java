package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScalableFilterContractTest extends MembershipFilterContract {
    @Override
    protected MembershipFilter create(long expectedEntries) {
        return MembershipFilters.scalable(expectedEntries, 0.001);
    }

    @Override
    protected FilterAbilities abilities() {
        return new FilterAbilities(0.001, false, true, 0);
    }

    /** From one entry to sixty thousand, so that readers live through sixteen growths. */
    @Test
    void readersMissNothingWhileItGrows() throws InterruptedException, ExecutionException {
        for (int round = 0; round < 3; round++) {
            MembershipFilter filter = create(1);
            long[] hashes = hashes(30 + round, 60_000);
            AtomicInteger published = new AtomicInteger();
            long missed = Crew.race(
                    () -> {
                        for (long hash : hashes) {
                            assertThat(filter.add(hash)).isTrue();
                            published.incrementAndGet();
                        }
                    },
                    reader -> {
                        int until = published.get();
                        long[] some = Arrays.copyOfRange(hashes, Math.max(0, until - 40), until);
                        boolean[] results = new boolean[some.length];
                        filter.mightContainAll(some, results);
                        long missing = 0;
                        for (int i = 0; i < some.length; i++) {
                            missing += results[i] && filter.mightContain(some[i]) ? 0 : 1;
                        }
                        return missing;
                    });
            assertThat(missed).as("missed, seed %d", SEED).isZero();
            assertAllHeld(filter, hashes);
        }
    }
}

package io.github.untaken.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.http.limit.RecheckPermits.Limit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecheckPermitsTest {
    private final AtomicLong clock = new AtomicLong();

    private RecheckPermits permits(int most, int burst) {
        return new RecheckPermits(most, new TokenBucket(Rate.perMinute(1, burst), clock::get));
    }

    private static boolean once(RecheckPermits permits) {
        try (RecheckPermits.Permit permit = permits.ask()) {
            return permit.getAsBoolean();
        }
    }

    @Test
    void soManyAtATime() {
        RecheckPermits permits = permits(2, 100);
        try (RecheckPermits.Permit first = permits.ask();
                RecheckPermits.Permit second = permits.ask()) {
            assertThat(first.getAsBoolean()).isTrue();
            assertThat(second.getAsBoolean()).isTrue();
            assertThat(once(permits)).isFalse();
        }
        assertThat(once(permits)).isTrue();
    }

    @Test
    void whoNeverAsksTakesNothing() {
        RecheckPermits permits = permits(1, 1);
        for (int i = 0; i < 10; i++) {
            permits.ask().close();
        }
        assertThat(once(permits)).isTrue();
    }

    @Test
    void aPlaceIsGivenBackThoughTheReadWasRefused() {
        RecheckPermits permits = permits(1, 1);
        assertThat(once(permits)).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(once(permits)).isFalse();
        }
        clock.addAndGet(60_000_000_000L);
        assertThat(once(permits)).isTrue();
    }

    @Test
    void aRefusalNamesItsLimit() {
        RecheckPermits permits = permits(1, 2);
        try (RecheckPermits.Permit first = permits.ask();
                RecheckPermits.Permit second = permits.ask()) {
            assertThat(first.getAsBoolean()).isTrue();
            assertThat(first.refusedBy()).isEmpty();
            assertThat(second.getAsBoolean()).isFalse();
            assertThat(second.refusedBy()).contains(Limit.MAX_WAITING_CHECKS);
        }
        assertThat(once(permits)).isTrue();
        try (RecheckPermits.Permit fourth = permits.ask()) {
            assertThat(fourth.getAsBoolean()).isFalse();
            assertThat(fourth.refusedBy()).contains(Limit.RECHECK_LIMIT);
        }
    }

    @Test
    void whoFindsNoPlaceCostsNoRead() {
        RecheckPermits permits = permits(1, 2);
        try (RecheckPermits.Permit first = permits.ask()) {
            assertThat(first.getAsBoolean()).isTrue();
            for (int i = 0; i < 10; i++) {
                assertThat(once(permits)).isFalse();
            }
        }
        assertThat(once(permits)).isTrue();
    }
}

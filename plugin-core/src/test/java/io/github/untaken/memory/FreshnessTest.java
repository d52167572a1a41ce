package io.github.untaken.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshnessTest {
    private static final Duration BOUND = Duration.ofMillis(40);

    private long nanos;
    private long millis;
    private final Freshness freshness = new Freshness(BOUND, new Clocks(() -> nanos, () -> millis));

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void aLeaseHoldsForLessThanTheBoundWhereverTheClockStands(long origin) {
        nanos = origin;
        Lease lease = freshness.now();
        nanos = origin + BOUND.toNanos() - 1;
        assertThat(freshness.holds(lease)).isTrue();
        nanos = origin + BOUND.toNanos();
        assertThat(freshness.holds(lease)).isFalse();
    }

    @Test
    void aLaterQuestionRenewsItAlthoughTheClockRanOver() {
        nanos = Long.MAX_VALUE;
        freshness.renew(freshness.now());
        nanos++;
        Lease later = freshness.now();
        freshness.renew(later);
        assertThat(freshness.lease()).isEqualTo(later);
    }

    /** By the milliseconds alone, a product in nanoseconds would run over. */
    @ParameterizedTest
    @ValueSource(longs = {40, 9_300_000_000_000L, 20_000_000_000_000L, -1})
    void aWallClockThatIsAheadOrBehindEndsIt(long by) {
        Lease lease = freshness.now();
        millis += by;
        assertThat(freshness.holds(lease)).isFalse();
    }

    @Test
    void withoutNewsNothingHolds() {
        assertThat(freshness.holds(freshness.lease())).isFalse();
        assertThat(Freshness.UNBOUNDED.holds(null)).isTrue();
    }

    @Test
    void newsAreAsOldAsTheQuestionThatBroughtThem() {
        nanos = Long.MAX_VALUE;
        assertThat(freshness.age()).isNull();
        Lease lease = freshness.now();
        nanos += 5;
        freshness.renew(lease);
        assertThat(freshness.age()).isEqualTo(Duration.ofNanos(5));
    }
}

package io.github.untaken.sample.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.servlet.ClientKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {
    private final AtomicLong now = new AtomicLong();
    private final TokenBuckets buckets = new TokenBuckets(60, now::get);
    private final ClientKey client = new ClientKey("192.0.2.1");

    @Test
    void admitsAMinutesWorthAtOnceAndThenOneASecond() {
        for (int i = 0; i < 60; i++) {
            assertThat(buckets.admit(client).admitted()).isTrue();
        }
        assertThat(buckets.admit(client).admitted()).isFalse();
        assertThat(buckets.admit(client).retryAfter()).isEqualTo(Duration.ofSeconds(1));
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(buckets.admit(client).admitted()).isTrue();
        assertThat(buckets.admit(client).admitted()).isFalse();
    }

    @Test
    void doesNotSaveUpMoreThanAMinutesWorth() {
        assertThat(buckets.admit(client).admitted()).isTrue();
        now.addAndGet(Duration.ofDays(1).toNanos());
        for (int i = 0; i < 60; i++) {
            assertThat(buckets.admit(client).admitted()).isTrue();
        }
        assertThat(buckets.admit(client).admitted()).isFalse();
    }

    @Test
    void clientsDoNotShareABucket() {
        for (int i = 0; i < 61; i++) {
            buckets.admit(client);
        }
        assertThat(buckets.admit(new ClientKey("192.0.2.2")).admitted()).isTrue();
    }
}

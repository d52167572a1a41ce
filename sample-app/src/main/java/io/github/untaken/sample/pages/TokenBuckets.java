package io.github.untaken.sample.pages;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.untaken.servlet.ClientKey;
import io.github.untaken.servlet.ClientLimiter;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A token bucket for each client: a minute's checks at once, then as they come back. Memory is bounded; a client forgotten
 * for want of room starts with a full bucket. Thread-safe.
 */
public final class TokenBuckets implements ClientLimiter {
    private static final long MOST_CLIENTS = 100_000;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int perMinute;
    private final LongSupplier nanoTime;
    private final Cache<ClientKey, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(MOST_CLIENTS)
            .expireAfterAccess(Duration.ofMinutes(2))
            .build();

    private final class Bucket {
        private double tokens = perMinute;
        private long filledAt = nanoTime.getAsLong();

        /** Nanoseconds until the next token, 0 if one was taken. */
        synchronized long take() {
            long now = nanoTime.getAsLong();
            tokens = Math.min(perMinute, tokens + (double) (now - filledAt) * perMinute / MINUTE);
            filledAt = now;
            if (tokens >= 1) {
                tokens -= 1;
                return 0;
            }
            return (long) Math.ceil((1 - tokens) * MINUTE / perMinute);
        }
    }

    /**
     * @param perMinute checks of one client in a minute, at least 1
     * @param nanoTime the time source, in nanoseconds
     */
    public TokenBuckets(int perMinute, LongSupplier nanoTime) {
        this.perMinute = perMinute;
        this.nanoTime = nanoTime;
    }

    @Override
    public Decision admit(ClientKey client) {
        long wait = buckets.get(client, key -> new Bucket()).take();
        return wait == 0 ? Decision.admit() : Decision.refuse(Duration.ofNanos(wait));
    }
}

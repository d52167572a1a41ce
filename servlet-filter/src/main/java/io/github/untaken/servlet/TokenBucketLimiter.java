package io.github.untaken.servlet;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.servlet.limit.ClientBuckets;
import io.github.untaken.servlet.limit.Rate;
import java.time.Duration;

/** A token bucket for each client. */
final class TokenBucketLimiter implements ClientLimiter {
    private final ClientBuckets buckets;

    TokenBucketLimiter(Rate rate) {
        this.buckets = new ClientBuckets(rate, ClientBuckets.PLACES, KeyHasher.random(), System::nanoTime);
    }

    @Override
    public Decision admit(ClientKey client) {
        long wait = buckets.take(client.value());
        return wait == 0 ? Decision.admit() : Decision.refuse(Duration.ofNanos(wait));
    }
}

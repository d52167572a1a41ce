package io.github.untaken;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keys proved absent from the store although the membership filter says maybe. The only part that overrides a positive,
 * hence the likeliest source of a false "available": an entry counts only in the epoch it was learnt in, and whoever calls
 * {@link #learn} or {@link #forget} holds the monitor of the key's stripe.
 */
final class Whitelist {
    private final Cache<String, Long> epochs;

    Whitelist(long maximumSize, Duration lifetime, LongSupplier nanoTime) {
        epochs = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .expireAfterWrite(lifetime)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    boolean knows(String key, long epoch) {
        Long learnt = epochs.getIfPresent(key);
        return learnt != null && learnt == epoch;
    }

    void learn(String key, long epoch) {
        epochs.put(key, epoch);
    }

    void forget(String key) {
        epochs.invalidate(key);
    }

    void clear() {
        epochs.invalidateAll();
    }

    long size() {
        return epochs.estimatedSize();
    }
}

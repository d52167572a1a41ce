package io.github.untaken.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keys proved absent from the store although the membership filter says maybe. The only part that overrides a positive,
 * hence the likeliest source of a false "available": an entry counts only in the epoch it was learnt in, and whoever calls
 * {@link #learn} or {@link #forget} holds the monitor of the key's stripe.
 */
public final class Whitelist {
    private final Cache<String, Long> epochs;

    public Whitelist(long maximumSize, Duration lifetime, LongSupplier nanoTime) {
        epochs = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .expireAfterWrite(lifetime)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .build();
    }

    public boolean knows(String key, long epoch) {
        Long learnt = epochs.getIfPresent(key);
        return learnt != null && learnt == epoch;
    }

    public void learn(String key, long epoch) {
        epochs.put(key, epoch);
    }

    public void forget(String key) {
        epochs.invalidate(key);
    }

    public void clear() {
        epochs.invalidateAll();
    }

    public long size() {
        return epochs.estimatedSize();
    }
}

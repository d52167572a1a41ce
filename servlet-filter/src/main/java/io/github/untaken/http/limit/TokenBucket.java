package io.github.untaken.http.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** One bucket for everybody. Thread-safe, without locks. */
public final class TokenBucket {
    private final Rate rate;
    private final LongSupplier nanoTime;
    private final long origin;
    private final AtomicLong fullAt = new AtomicLong();

    /** @param nanoTime as {@link System#nanoTime} */
    public TokenBucket(Rate rate, LongSupplier nanoTime) {
        this.rate = rate;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    /** Takes a token if there is one. */
    public boolean take() {
        while (true) {
            long now = nanoTime.getAsLong() - origin;
            long seen = fullAt.get();
            if (rate.delay(seen, now) > 0) {
                return false;
            }
            if (fullAt.compareAndSet(seen, rate.charge(seen, now, 1))) {
                return true;
            }
        }
    }

    /** Nanoseconds until there is a token, 0 if there is one. */
    public long delay() {
        return rate.delay(fullAt.get(), nanoTime.getAsLong() - origin);
    }

    /** Takes so many tokens, even ones that are not there yet. */
    public void charge(int tokens) {
        long now = nanoTime.getAsLong() - origin;
        fullAt.updateAndGet(seen -> rate.charge(seen, now, tokens));
    }
}

package io.github.untaken.servlet.limit;

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
            long next = rate.take(seen, now);
            if (next == Rate.REFUSED) {
                return false;
            }
            if (fullAt.compareAndSet(seen, next)) {
                return true;
            }
        }
    }
}

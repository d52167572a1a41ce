package io.github.untaken.log;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How old the news from the log may be for memory to say "available". A check reads the lease before anything else and tests that
 * very one at its end: one that came in between says nothing of what the check has read.
 */
public final class Freshness {
    /** Where no log is followed, or its news are looked at otherwise. */
    public static final Freshness UNBOUNDED = new Freshness(Duration.ZERO, new Clocks(() -> 0, () -> 0));

    private final long boundNanos; // 0 for none
    private final Clocks clocks;
    private volatile @Nullable Lease lease;

    public Freshness(Duration bound, Clocks clocks) {
        this.boundNanos = bound.toNanos();
        this.clocks = clocks;
    }

    boolean isBounded() {
        return boundNanos != 0;
    }

    Duration bound() {
        return Duration.ofNanos(boundNanos);
    }

    /** What a question that is asked now will be worth. */
    public Lease now() {
        return clocks.now();
    }

    public @Nullable Lease lease() {
        return lease;
    }

    /** The question was answered, and all that stands before its mark is known. One thread at a time. */
    public void renew(Lease asked) {
        Lease last = lease;
        if (last == null || asked.nanos() - last.nanos() >= 0) {
            lease = asked;
        }
    }

    /** What was known then may not be so any more; what is renewed later counts again. */
    void end() {
        lease = null;
    }

    /** Whether a lease read earlier still holds. */
    public boolean holds(@Nullable Lease read) {
        return !isBounded() || holds(read, now());
    }

    /** Whether it holds at that moment. A wall clock that was set ends it, in either direction. */
    boolean holds(@Nullable Lease read, Lease now) {
        if (!isBounded()) {
            return true;
        }
        if (read == null || now.nanos() - read.nanos() >= boundNanos) {
            return false;
        }
        long byTheWall = now.millis() - read.millis();
        return byTheWall >= 0 && byTheWall < TimeUnit.NANOSECONDS.toMillis(boundNanos);
    }

    /** How old the news are; null before there were any. */
    @Nullable Duration age() {
        Lease last = lease;
        return last == null ? null : Duration.ofNanos(clocks.nanoTime().getAsLong() - last.nanos());
    }
}

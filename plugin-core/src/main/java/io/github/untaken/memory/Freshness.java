package io.github.untaken.memory;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How old the news from the log may be for memory to say "available". A check reads the lease before anything else and
 * tests that same lease at its end: a later one says nothing about what the check has read.
 */
public final class Freshness {
    /** Used if no log is followed, or its news is judged elsewhere. */
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

    public Duration bound() {
        return Duration.ofNanos(boundNanos);
    }

    /** The lease that a question asked now will give. */
    public Lease now() {
        return clocks.now();
    }

    public @Nullable Lease lease() {
        return lease;
    }

    /** The question was answered, and everything before its mark is known. One thread at a time. */
    public void renew(Lease asked) {
        Lease last = lease;
        if (last == null || asked.nanos() - last.nanos() >= 0) {
            lease = asked;
        }
    }

    /** What was known may no longer hold; a later renewal counts again. */
    public void end() {
        lease = null;
    }

    /** Whether a lease read earlier still holds. */
    public boolean holds(@Nullable Lease read) {
        return !isBounded() || holds(read, now());
    }

    /** Whether it holds at that moment. Setting the wall clock, in either direction, ends it. */
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

    /** The age of the news; null before there was any. */
    public @Nullable Duration age() {
        Lease last = lease;
        return last == null ? null : Duration.ofNanos(clocks.nanoTime().getAsLong() - last.nanos());
    }
}

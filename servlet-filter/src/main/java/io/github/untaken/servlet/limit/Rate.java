package io.github.untaken.servlet.limit;

import java.util.concurrent.TimeUnit;

/**
 * So many a minute on average, and so many at once. As one number for each bucket, the time at which it is full
 * again: no bucket needs a thread that fills it, and one that is full needs no memory (the virtual scheduling form of the
 * generic cell rate algorithm, ITU-T I.371).
 *
 * @param interval nanoseconds in which one token comes back
 * @param burst how many tokens a bucket holds
 */
public record Rate(long interval, int burst) {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** Not admitted; so far from every time that is one. */
    static final long REFUSED = Long.MIN_VALUE;

    /**
     * A rate of so many in a minute.
     *
     * @throws IllegalArgumentException if {@code perMinute} is not 1 to 60 million, or {@code burst} not 1 to a million
     */
    public static Rate perMinute(int perMinute, int burst) {
        if (perMinute < 1 || perMinute > 60_000_000) {
            throw new IllegalArgumentException("the requests in a minute must be 1 to 60000000, but were " + perMinute);
        }
        if (burst < 1 || burst > 1_000_000) {
            throw new IllegalArgumentException("the burst must be 1 to 1000000, but was " + burst);
        }
        return new Rate(MINUTE / perMinute, burst);
    }

    /** When a bucket will be full after one more token is taken now, or {@link #REFUSED} if it is empty. */
    long take(long fullAt, long now) {
        long next = Math.max(fullAt, now) + interval;
        return next - now <= interval * burst ? next : REFUSED;
    }

    /** Nanoseconds until a bucket that refuses has a token again. */
    long wait(long fullAt, long now) {
        return Math.max(0, fullAt + interval - now - interval * burst);
    }
}

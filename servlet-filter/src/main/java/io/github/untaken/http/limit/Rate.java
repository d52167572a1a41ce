package io.github.untaken.http.limit;

import java.util.concurrent.TimeUnit;

/**
 * So many a minute on average, and so many at once. A bucket is one number, the time at which it is full again: no thread fills it, and a
 * full one needs no memory (the virtual scheduling form of the generic cell rate algorithm, ITU-T I.371).
 *
 * @param interval nanoseconds in which one token comes back
 * @param burst how many tokens a bucket holds
 */
public record Rate(long interval, int burst) {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

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

    /** So many in a minute, on average. */
    public long perMinute() {
        return MINUTE / interval;
    }

    /**
     * So many times this rate, and so many times the burst.
     *
     * @param share 1 to 1,000
     */
    Rate times(int share) {
        return share == 1 ? this : new Rate(Math.max(1, interval / share), burst * share);
    }

    /** Nanoseconds until a bucket has a token, 0 if it has one. */
    long delay(long fullAt, long now) {
        return Math.max(0, Math.max(fullAt, now) + interval - now - interval * burst);
    }

    /** When a bucket will be full if so many tokens are taken now, even ones that are not there yet. */
    long charge(long fullAt, long now, int tokens) {
        return Math.max(fullAt, now) + interval * tokens;
    }
}

package io.github.untaken.http.limit;

import io.github.untaken.filter.KeyHasher;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A token bucket for each name, such as a client or a network of clients, in memory that does not grow. A name with a share of eight has
 * eight times the rate and the burst. Thread-safe.
 */
/*
 * Idea. A table of sets with eight places each, as in a processor's cache. The keyed hash of a client chooses the set. A place holds the
 * whole hash, and the time at which the bucket is full again. A bucket that is already full is no different from none, so places free
 * themselves as time goes by and nothing has to expire.
 *
 * When all eight belong to clients still in debt, the one with the least debt is forgotten. So a crowd of strangers can free a client of a
 * part of one burst at most, while those who asked most stay known longest. And nobody is ever refused for what others did, except others
 * in the same networks. Aiming at somebody's set would take the secret key of the hash.
 *
 * Several buckets are asked under the locks of all their sets, taken in ascending order: either each gives a token or none does, whatever
 * other threads do meanwhile.
 *
 * Trade-offs. A map would hold exact buckets, but would need a bound, an eviction order, and memory for each stranger that passes by. A
 * count-min sketch would be as small, but errs the other way: under many clients it refuses the innocent.
 */
public final class ClientBuckets {
    /** The places of the default table: two megabytes. */
    public static final int PLACES = 1 << 17;

    private static final int WAYS = 8;
    private static final int LOCKS = 256;

    private final Rate rate;
    private final KeyHasher hasher;
    private final LongSupplier nanoTime;
    private final long origin;
    private final int setMask;
    private final long[] clients; // guarded by the lock of its set
    private final long[] fullAt; // guarded by the lock of its set
    private final Object[] locks = new Object[LOCKS];

    /**
     * @param places how many names in debt are remembered, a power of two, 8 or more; 16 bytes each
     * @param nanoTime as {@link System#nanoTime}
     */
    public ClientBuckets(Rate rate, int places, KeyHasher hasher, LongSupplier nanoTime) {
        if (places < WAYS || Integer.bitCount(places) != 1) {
            throw new IllegalArgumentException("places must be a power of two, 8 or more, but were " + places);
        }
        this.rate = rate;
        this.hasher = hasher;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
        this.setMask = places / WAYS - 1;
        this.clients = new long[places];
        this.fullAt = new long[places];
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /**
     * Takes one token from each of these buckets, or from none. Returns 0 if each had one, else the nanoseconds until each will have one.
     *
     * @param names at least one
     * @param shares of the names, 1 or more
     */
    public long take(String[] names, int[] shares) {
        long[] hashes = hashes(names);
        return locked(-1, hashes, now -> {
            long delay = delay(hashes, shares, now);
            if (delay == 0) {
                charge(hashes, shares, 1, now);
            }
            return delay;
        });
    }

    /** As {@link #take}, but takes nothing. */
    public long delay(String[] names, int[] shares) {
        long[] hashes = hashes(names);
        return locked(-1, hashes, now -> delay(hashes, shares, now));
    }

    /** Takes so many tokens from each of these buckets, even ones that are not there yet. */
    public void charge(String[] names, int[] shares, int tokens) {
        long[] hashes = hashes(names);
        locked(-1, hashes, now -> {
            charge(hashes, shares, tokens, now);
            return 0;
        });
    }

    private long[] hashes(String[] names) {
        long[] hashes = new long[names.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hasher.hash(names[i]);
        }
        return hashes;
    }

    /** Takes the locks that the hashes need, from those numbered above this one, then does the work at the time it is by then. */
    private long locked(int above, long[] hashes, LongUnaryOperator work) {
        int next = LOCKS;
        for (long hash : hashes) {
            int lock = set(hash) & LOCKS - 1;
            if (lock > above && lock < next) {
                next = lock;
            }
        }
        if (next == LOCKS) {
            return work.applyAsLong(nanoTime.getAsLong() - origin);
        }
        synchronized (locks[next]) {
            return locked(next, hashes, work);
        }
    }

    private long delay(long[] hashes, int[] shares, long now) {
        long delay = 0;
        for (int i = 0; i < hashes.length; i++) {
            int place = find(hashes[i], now);
            if (place >= 0) {
                delay = Math.max(delay, rate.times(shares[i]).delay(fullAt[place], now));
            }
        }
        return delay;
    }

    private void charge(long[] hashes, int[] shares, int tokens, long now) {
        for (int i = 0; i < hashes.length; i++) {
            int place = find(hashes[i], now);
            if (place < 0) {
                place = leastInDebt(hashes[i]);
                clients[place] = hashes[i];
                fullAt[place] = now;
            }
            fullAt[place] = rate.times(shares[i]).charge(fullAt[place], now, tokens);
        }
    }

    private int set(long hash) {
        return (int) (hash >>> 32) & setMask;
    }

    /** The place of this bucket, or -1 if it is full and so has none. */
    private int find(long hash, long now) {
        int from = set(hash) * WAYS;
        for (int i = from; i < from + WAYS; i++) {
            if (clients[i] == hash && fullAt[i] > now) {
                return i;
            }
        }
        return -1;
    }

    private int leastInDebt(long hash) {
        int from = set(hash) * WAYS;
        int least = from;
        for (int i = from + 1; i < from + WAYS; i++) {
            if (fullAt[i] < fullAt[least]) {
                least = i;
            }
        }
        return least;
    }
}

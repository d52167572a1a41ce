package io.github.untaken.servlet.limit;

import io.github.untaken.filter.KeyHasher;
import java.util.function.LongSupplier;

/** A token bucket for each client, in memory that does not grow. Thread-safe; allocates nothing. */
/*
 * Idea. A table of sets with eight places each, as in a processor's cache: the keyed hash of a client chooses the set, and the
 * whole hash stands in the place beside the time at which the bucket is full again. A bucket that is full already is no
 * different from none, so places free themselves as time goes by and nothing has to expire.
 *
 * When all eight belong to clients still in debt, the one with the least debt is forgotten. So many strangers can free a
 * client of a part of one burst, at most, while whoever asked most stays known longest; and nobody is ever refused for what
 * others did. To aim at somebody's set one would need the secret key of the hash.
 *
 * Trade-offs. A map would hold exact buckets and need a bound, an order of eviction, and memory for each stranger that passes
 * by. A count-min sketch would be as small, but errs the other way: under many clients it refuses the innocent.
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
     * @param places how many clients in debt are remembered, a power of two, 8 or more; 16 bytes each
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

    /** Takes one of the client's tokens: 0 if there was one, else the nanoseconds until there will be. */
    public long take(String client) {
        long hash = hasher.hash(client);
        int set = (int) (hash >>> 32) & setMask;
        synchronized (locks[set & LOCKS - 1]) {
            long now = nanoTime.getAsLong() - origin;
            int place = place(set * WAYS, hash, now);
            long next = rate.take(fullAt[place], now);
            if (next == Rate.REFUSED) {
                return Math.max(1, rate.wait(fullAt[place], now));
            }
            fullAt[place] = next;
            return 0;
        }
    }

    /** The client's own place, or that of the client with the least debt, made its own. */
    private int place(int from, long hash, long now) {
        int least = from;
        for (int i = from; i < from + WAYS; i++) {
            if (clients[i] == hash && fullAt[i] > now) {
                return i;
            }
            if (fullAt[i] < fullAt[least]) {
                least = i;
            }
        }
        clients[least] = hash;
        fullAt[least] = now;
        return least;
    }
}

package io.github.untaken;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The exact sets beside the membership filter: keys of transactions under way, each with its owners, and doubtful keys,
 * whose transactions ended nobody knows how. Every change of a key happens under the lock of its stripe and is stamped.
 *
 * <p>Owners, because two transactions may announce one key: it leaves with the last of them, so the rollback of the first
 * does not hide the commit of the second. Stamps, because a store read that overlapped any change proves nothing.
 */
final class PendingKeys {

    /** Guards the keys that hash to it; its monitor is held for a few map operations, never during I/O. */
    static final class Stripe {
        private volatile long stamp;

        long stamp() {
            return stamp;
        }

        /** Call with the monitor held. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // written under the monitor only; volatile for readers without it
        void bump() {
            stamp++;
        }
    }

    private static final int STRIPES = 1024;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final Map<String, Set<Object>> owners = new ConcurrentHashMap<>();
    private final Map<String, Long> doubtfulSince = new ConcurrentHashMap<>();
    // Raised before a key becomes visible and lowered after it is gone: zero proves the set empty without hashing the
    // key.
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final AtomicInteger doubtfulCount = new AtomicInteger();
    private final LongSupplier nanoTime;

    PendingKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    Stripe stripe(String key) {
        int h = key.hashCode();
        return stripes[(h ^ h >>> 16) & STRIPES - 1];
    }

    boolean isPending(String key) {
        return pendingCount.get() != 0 && owners.containsKey(key);
    }

    boolean isDoubtful(String key) {
        return doubtfulCount.get() != 0 && doubtfulSince.containsKey(key);
    }

    /** Pending or doubtful: a row of the key may still come. */
    boolean isUnsettled(String key) {
        return isPending(key) || isDoubtful(key);
    }

    int pending() {
        return pendingCount.get();
    }

    int doubtful() {
        return doubtfulCount.get();
    }

    /** Call with the stripe's monitor held. Entering twice as the same owner is entering once. */
    void enter(String key, Object owner) {
        Set<Object> present = owners.get(key);
        if (present == null) {
            pendingCount.incrementAndGet();
            owners.put(key, Set.of(owner));
        } else if (!present.contains(owner)) {
            Set<Object> more = new HashSet<>(present);
            more.add(owner);
            owners.put(key, more);
        }
    }

    /** Call with the stripe's monitor held. */
    void leave(String key, Object owner) {
        Set<Object> present = owners.get(key);
        if (present == null || !present.contains(owner)) {
            return;
        }
        if (present.size() == 1) {
            owners.remove(key);
            pendingCount.decrementAndGet();
        } else {
            Set<Object> fewer = new HashSet<>(present);
            fewer.remove(owner);
            owners.put(key, fewer);
        }
    }

    /** Call with the stripe's monitor held, before the key leaves pending. A repeat refreshes its time. */
    void enterDoubtful(String key) {
        if (!doubtfulSince.containsKey(key)) {
            doubtfulCount.incrementAndGet();
        }
        doubtfulSince.put(key, nanoTime.getAsLong());
    }

    /** Drops the doubtful keys last refreshed at or before a moment; a scan begun well after it has seen their rows. */
    void forgetDoubtfulUntil(long nanos) {
        for (String key : List.copyOf(doubtfulSince.keySet())) {
            synchronized (stripe(key)) {
                Long since = doubtfulSince.get(key);
                if (since != null && since - nanos <= 0) {
                    stripe(key).bump();
                    doubtfulSince.remove(key);
                    doubtfulCount.decrementAndGet();
                }
            }
        }
    }

    boolean hasDoubtfulUntil(long nanos) {
        return doubtfulCount.get() != 0 && doubtfulSince.values().stream().anyMatch(since -> since - nanos <= 0);
    }
}

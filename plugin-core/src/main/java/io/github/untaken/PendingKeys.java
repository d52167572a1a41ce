package io.github.untaken;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The exact sets beside the membership filter: keys of transactions under way, each with its owners, doubtful keys, whose
 * transactions ended nobody knows how, and unverified ones, whose transactions are said to have left nothing. Every change of a key happens under the lock of its stripe and is stamped.
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
    private final OwnedKeys announced = new OwnedKeys();
    private final OwnedKeys unverified = new OwnedKeys();
    private final Map<String, Long> doubtfulSince = new ConcurrentHashMap<>();
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
        return announced.contains(key);
    }

    /** Whether nobody knows how the key's transaction ended, or a read has yet to confirm what was told of it. */
    boolean isDoubtful(String key) {
        return (doubtfulCount.get() != 0 && doubtfulSince.containsKey(key)) || unverified.contains(key);
    }

    /** Pending or doubtful: a row of the key may still come. */
    boolean isUnsettled(String key) {
        return isPending(key) || isDoubtful(key);
    }

    /** Call with the stripe's monitor held: whether the key is as it was when it had that stamp, and settled. */
    boolean nothingHappened(String key, Stripe stripe, long stamp) {
        return stripe.stamp() == stamp && !isPending(key) && !isDoubtful(key);
    }

    int pending() {
        return announced.size();
    }

    /** Without those that a read is about to verify. */
    int doubtful() {
        return doubtfulCount.get();
    }

    /** Call with the stripe's monitor held. Entering twice as the same owner is entering once. */
    void enter(String key, Object owner) {
        announced.enter(key, owner);
    }

    /** Call with the stripe's monitor held. */
    void leave(String key, Object owner) {
        announced.leave(key, owner);
    }

    boolean isPendingOnlyFor(String key, Object owner) {
        return announced.isHeldOnlyBy(key, owner);
    }

    /** Call with the stripe's monitor held, before the key leaves pending: doubtful until {@link #leaveUnverified}. */
    void enterUnverified(String key, Object owner) {
        unverified.enter(key, owner);
    }

    /** Call with the stripe's monitor held. */
    void leaveUnverified(String key, Object owner) {
        unverified.leave(key, owner);
    }

    /** Whether the key may become doubtful, or is, without there being more than the limit. */
    boolean hasRoomForDoubt(String key, int limit) {
        return doubtfulCount.get() < limit || doubtfulSince.containsKey(key);
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

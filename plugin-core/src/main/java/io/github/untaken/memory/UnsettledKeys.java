package io.github.untaken.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The exact set beside the membership filter: keys of transactions whose outcome is not applied yet. One entry a key, which is
 * replaced as a whole, so that no reader ever finds the key between two states.
 *
 * <p>Two transactions may announce one key. Each owner changes only what it says itself, and the strongest answers: the rollback of
 * the first hides neither the commit of the second nor a doubt that an earlier one left. A doubt belongs to the key, for it outlives
 * the transaction it came from.
 *
 * <p>Every change of a key happens under the monitor of its stripe and is stamped, because a store read that overlapped any change
 * proves nothing. Asking takes no lock.
 */
public final class UnsettledKeys {

    /** What is known of a key, the weakest first. */
    public enum State {
        /** Its transaction is said to have left nothing; a read has yet to confirm that. */
        UNVERIFIED,
        /** Nobody knows how its transaction ended. */
        DOUBTFUL,
        /** As {@link #DOUBTFUL}, and if the row is there the store will not find it by its key. */
        DOUBTFUL_AND_ODD,
        /** Its transaction is under way. */
        PENDING
    }

    /** Guards the keys that hash to it; its monitor is held for a few map operations, never during I/O. */
    public static final class Stripe {
        private volatile long stamp;
        private volatile long told;

        public long stamp() {
            return stamp;
        }

        /** Call with the monitor held. */
        @SuppressWarnings("NonAtomicVolatileUpdate") // written under the monitor only; volatile for readers without it
        public void bump() {
            stamp++;
        }

        /** The highest number under which the database's log has told of one of these keys; 0 for none. */
        public long told() {
            return told;
        }

        /** One thread at a time. */
        public void told(long number) {
            told = number;
        }
    }

    private record Doubt(long since, boolean odd) {}

    /** @param owners whether each has been said to have left nothing */
    private record Entry(
            Map<Object, Boolean> owners, @Nullable Doubt doubt) {
        static final Entry NONE = new Entry(Map.of(), null);

        boolean isPending() {
            return owners.containsValue(false);
        }

        @Nullable State strongest() {
            if (isPending()) {
                return State.PENDING;
            }
            if (doubt != null) {
                return doubt.odd ? State.DOUBTFUL_AND_ODD : State.DOUBTFUL;
            }
            return owners.isEmpty() ? null : State.UNVERIFIED;
        }

        Entry with(Object owner, boolean unverified) {
            if (owners.isEmpty()) {
                return new Entry(Map.of(owner, unverified), doubt);
            }
            Map<Object, Boolean> more = new HashMap<>(owners);
            more.put(owner, unverified);
            return new Entry(Map.copyOf(more), doubt);
        }

        /** Without making anything in the usual case, so that even a heap that is full lets a key go. */
        Entry without(Object owner) {
            if (doubt == null && owners.size() == 1 && owners.containsKey(owner)) {
                return NONE;
            }
            Map<Object, Boolean> fewer = new HashMap<>(owners);
            fewer.remove(owner);
            return new Entry(Map.copyOf(fewer), doubt);
        }

        Entry doubted(@Nullable Doubt now) {
            return new Entry(owners, now);
        }
    }

    private static final int STRIPES = 1024;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    /** Raised before a key becomes visible and lowered after it is gone: zero proves the set empty without hashing a key. */
    private final AtomicInteger size = new AtomicInteger();

    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger doubtful = new AtomicInteger();
    private final LongSupplier nanoTime;

    public UnsettledKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    public Stripe stripe(String key) {
        int h = key.hashCode();
        return stripes[(h ^ h >>> 16) & STRIPES - 1];
    }

    /** Null if nothing is unsettled about the key. */
    public @Nullable State state(String key) {
        if (size.get() == 0) {
            return null;
        }
        Entry entry = entries.get(key);
        return entry == null ? null : entry.strongest();
    }

    /** How many keys belong to transactions under way. */
    public int pending() {
        return pending.get();
    }

    /** How many keys are in doubt. */
    public int doubtful() {
        return doubtful.get();
    }

    /** Call with the stripe's monitor held: whether the key is as it was when it had that stamp, and settled. */
    public boolean nothingHappened(String key, Stripe stripe, long stamp) {
        return stripe.stamp() == stamp && state(key) == null;
    }

    // ---------------------------------------------------------------- changes; call with the stripe's monitor held

    /** Announcing twice as the same owner is announcing once. */
    public void announce(String key, Object owner) {
        change(key, entry -> entry.with(owner, false));
    }

    /** The owner has nothing to say any more. */
    public void leave(String key, Object owner) {
        change(key, entry -> entry.without(owner));
    }

    /** The owner is said to have left nothing. */
    public void unverify(String key, Object owner) {
        change(key, entry -> entry.with(owner, true));
    }

    /** The owner leaves a doubt behind; a repeat refreshes its time. */
    public void doubt(String key, Object owner, boolean odd) {
        change(key, entry -> {
            boolean wasOdd = entry.doubt != null && entry.doubt.odd;
            return entry.without(owner).doubted(new Doubt(nanoTime.getAsLong(), odd || wasOdd));
        });
    }

    /** Whether the key is pending for somebody else too. */
    public boolean isPendingBeside(String key, Object owner) {
        return entries.getOrDefault(key, Entry.NONE).without(owner).isPending();
    }

    /** Whether the key is in doubt, or may be without there being more than the limit. */
    public boolean hasRoomForDoubt(String key, int limit) {
        return doubtful.get() < limit || entries.getOrDefault(key, Entry.NONE).doubt != null;
    }

    private void change(String key, UnaryOperator<Entry> change) {
        Entry before = entries.getOrDefault(key, Entry.NONE);
        Entry after = change.apply(before);
        boolean is = after.strongest() != null;
        boolean was = before.strongest() != null;
        if (is) {
            size.addAndGet(was ? 0 : 1);
            entries.put(key, after);
        } else if (was) {
            entries.remove(key);
            size.decrementAndGet();
        }
        // Last, so that whoever sees that none is left finds none.
        pending.addAndGet((after.isPending() ? 1 : 0) - (before.isPending() ? 1 : 0));
        doubtful.addAndGet((after.doubt != null ? 1 : 0) - (before.doubt != null ? 1 : 0));
    }

    // ---------------------------------------------------------------- doubts; these take the monitors themselves

    /** Drops the doubts last refreshed at or before a moment; a scan begun well after it has seen their rows. */
    public void forgetDoubtsUntil(long nanos) {
        if (doubtful.get() == 0) {
            return;
        }
        for (String key : List.copyOf(entries.keySet())) {
            synchronized (stripe(key)) {
                if (isDoubtfulUntil(entries.getOrDefault(key, Entry.NONE), nanos)) {
                    stripe(key).bump();
                    change(key, entry -> entry.doubted(null));
                }
            }
        }
    }

    public boolean hasDoubtsUntil(long nanos) {
        return doubtful.get() != 0 && entries.values().stream().anyMatch(entry -> isDoubtfulUntil(entry, nanos));
    }

    private static boolean isDoubtfulUntil(Entry entry, long nanos) {
        return entry.doubt != null && entry.doubt.since - nanos <= 0;
    }
}

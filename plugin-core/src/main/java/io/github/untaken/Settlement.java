package io.github.untaken;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a key once something happened to it: from the announcement to its copy in the generations, to doubt, or to
 * nothing. Told by {@link NetEffect}; the thread that tells never waits for the store.
 *
 * <p>Every change of a key stamps it and takes it off the whitelist, under the monitor of its stripe.
 */
final class Settlement {
    private final PendingKeys pending;
    private final Whitelist whitelist;
    private final Generations generations;
    private final Recheck recheck;
    private final RegistrySettings settings;
    private final AtomicLong staleRemovals = new AtomicLong();

    Settlement(
            PendingKeys pending,
            Whitelist whitelist,
            Generations generations,
            Recheck recheck,
            RegistrySettings settings) {
        this.pending = pending;
        this.whitelist = whitelist;
        this.generations = generations;
        this.recheck = recheck;
        this.settings = settings;
    }

    /** Makes a key visible as taken. False, and nothing changed, if too many are pending. */
    boolean announce(String key, Object owner) {
        if (pending.pending() >= settings.maxPending()) {
            return false;
        }
        change(key, () -> pending.enter(key, owner));
        return true;
    }

    /** The last step of settling, after the generations have what they need. */
    void leavePending(String key, Object owner) {
        change(key, () -> pending.leave(key, owner));
    }

    /**
     * As {@link #leavePending}, for a transaction that is said to have left no row. What was committed behind the back of
     * whoever says so ({@code connection.commit()} on a connection lent out) would be forgotten with that, so where memory
     * would call the key free from now on, one read verifies it first. A taken name, refused a thousand times, costs none.
     */
    void leaveAfterRollback(String key, Object owner) {
        boolean[] verify = new boolean[1];
        change(key, () -> {
            // Another owner's end speaks for the key: its commit adds it, its rollback comes here.
            verify[0] = pending.isPendingOnlyFor(key, owner) && generations.wouldForget(key);
            if (verify[0]) {
                pending.enterUnverified(key, owner);
            }
            pending.leave(key, owner);
        });
        if (verify[0]) {
            afterReading(key, (present, failure) -> {
                if (failure == null && present) {
                    generations.addUncounted(key);
                }
                // Too many reads waiting say nothing of the key; a store that fails may have lost that commit's reply.
                boolean doubt = failure != null && !Recheck.wasRefused(failure);
                change(key, () -> {
                    if (doubt && pending.hasRoomForDoubt(key, settings.maxDoubtful())) {
                        pending.enterDoubtful(key);
                    }
                    pending.leaveUnverified(key, owner);
                });
            });
        }
    }

    /** Moves a key of unknown outcome to the doubtful, or trusts nothing if there are too many. */
    void doubt(String key, Object owner) {
        boolean room = pending.hasRoomForDoubt(key, settings.maxDoubtful());
        if (!room) {
            generations.loseTrustForDoubtLifetime(
                    "more than " + settings.maxDoubtful() + " registrations ended in doubt");
            if (generations.knownNonCanonical(key)) {
                generations.distrustSpellings(); // its row may come after a swap has forgotten the note
            }
        }
        change(key, () -> {
            if (room) {
                pending.enterDoubtful(key);
            }
            pending.leave(key, owner);
        });
    }

    private void change(String key, Runnable change) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        synchronized (stripe) {
            stripe.bump();
            whitelist.forget(key);
            change.run();
        }
    }

    /**
     * Settles a key of anonymous origin by one read: if the row is there it is added, if not it is dropped. Where the read
     * fails it is added all the same: a stray copy costs a read now and then, a missing one breaks the promise.
     */
    void settleByRecheck(String key, Object owner) {
        afterReading(key, (present, failure) -> {
            if (failure != null || present) {
                generations.addUncounted(key);
            }
            leavePending(key, owner);
        });
    }

    /**
     * Takes out the copy of a row that is gone, if a read proves it gone and nothing happened to the key or to the
     * generation since the event came; else drops the removal, which the next rebuild makes up for.
     *
     * @param eventEpoch the epoch when the entity event came
     */
    void removeIfProved(String key, long eventEpoch) {
        PendingKeys.Stripe stripe = pending.stripe(key);
        long stamp = stripe.stamp();
        if (pending.isPending(key)
                || pending.isDoubtful(key)
                || generations.view().epoch() != eventEpoch) {
            dropRemoval();
            return;
        }
        afterReading(key, (present, failure) -> {
            if (failure != null || present || !remove(key, stripe, stamp, eventEpoch)) {
                dropRemoval();
            }
        });
    }

    private boolean remove(String key, PendingKeys.Stripe stripe, long stamp, long eventEpoch) {
        return generations.remove(key, eventEpoch, () -> {
            synchronized (stripe) {
                // A key stored in another spelling may be there although a read by the key finds nothing.
                boolean proved = pending.nothingHappened(key, stripe, stamp) && !generations.knownNonCanonical(key);
                if (proved) {
                    stripe.bump(); // before the copy goes, so that a read under way cannot take this for a miss
                }
                return proved;
            }
        });
    }

    void dropRemoval() {
        staleRemovals.incrementAndGet();
        Generation serving = generations.view().serving();
        if (serving != null) {
            serving.noteStale();
        }
    }

    private void afterReading(String key, BiConsumer<Boolean, @Nullable Throwable> then) {
        CompletableFuture<Boolean> unused = recheck.read(key).whenComplete(then);
    }

    long staleRemovals() {
        return staleRemovals.get();
    }
}

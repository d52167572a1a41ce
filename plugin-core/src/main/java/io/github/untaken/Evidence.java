package io.github.untaken;

import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Spelling;
import io.github.untaken.memory.UnsettledKeys;
import io.github.untaken.memory.UnsettledKeys.State;
import io.github.untaken.memory.Whitelist;
import io.github.untaken.store.Recheck.Finding;
import io.github.untaken.store.Recheck.Judge;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a store read proves of a key. The view and the key's stamp are taken before the read begins; if either has changed when it
 * ends, the read may be older than what happened, and proves nothing.
 */
final class Evidence {
    private static final CompletableFuture<Boolean> NO_MISS = CompletableFuture.completedFuture(false);

    private final Generations generations;
    private final UnsettledKeys unsettled;
    private final Whitelist whitelist;
    private final Runnable missProved;
    private final @Nullable FollowedLog log;
    private final Freshness freshness;

    /**
     * @param missProved told after a committed key was found missing from memory, and added
     * @param log null if none is followed
     */
    Evidence(
            Generations generations,
            UnsettledKeys unsettled,
            Whitelist whitelist,
            Runnable missProved,
            @Nullable FollowedLog log) {
        this.generations = generations;
        this.unsettled = unsettled;
        this.whitelist = whitelist;
        this.missProved = missProved;
        this.log = log;
        this.freshness = log == null ? Freshness.UNBOUNDED : log.freshness();
    }

    /** Called before each store read. */
    Judge judge(String key) {
        View before = generations.view();
        UnsettledKeys.Stripe stripe = unsettled.stripe(key);
        long stamp = stripe.stamp();
        boolean seesAllTold = log == null || log.shows(stripe.told());
        return found -> {
            if (found) {
                CompletableFuture<Boolean> unused = lookForMiss(key, before, stamp);
                return Finding.PRESENT;
            }
            return notFound(key, before, stamp, seesAllTold);
        };
    }

    /**
     * The store does not find the key; a row may be there all the same, in an odd spelling. One that was there when the store looked
     * has been told of by now: either its transaction is not settled, or its key is among those of the generation that served all the
     * while. Where another has come meanwhile the question is asked again. Of a row that somebody else has written in such a spelling
     * only the log tells, so its news must be young enough, as for what memory calls available.
     *
     * @param seesAllTold otherwise the log may have told of a row of this key that the read could not see yet
     */
    private @Nullable Finding notFound(String key, View before, long stamp, boolean seesAllTold) {
        Lease lease = freshness.lease();
        State state = unsettled.state(key);
        if (state == State.PENDING || state == State.DOUBTFUL_AND_ODD) {
            return Finding.PENDING;
        }
        if (generations.isOdd(key)) {
            return Finding.ODD;
        }
        if (!generations.holdsKeys()) {
            if (!generations.unchanged(before)) {
                return null;
            }
            if (!before.knowsEveryValue() || !freshness.holds(lease)) {
                return Finding.UNCERTAIN;
            }
        }
        if (before.ready() && seesAllTold) {
            learnAbsence(key, before, stamp);
        }
        return Finding.ABSENT;
    }

    private void learnAbsence(String key, View before, long stamp) {
        UnsettledKeys.Stripe stripe = unsettled.stripe(key);
        synchronized (stripe) {
            if (generations.unchanged(before)
                    && unsettled.nothingHappened(key, stripe, stamp)
                    && !generations.isOdd(key)) {
                whitelist.learn(key, before.epoch());
            }
        }
    }

    /**
     * To be asked after a read found the key: a miss, unless it is pending, doubtful, or there after all. If anything
     * happened since before the read, it proves nothing: the row may have been removed, and a swap may have swept its entry.
     *
     * <p>Any read is ahead of the log by a little. So where one is followed, the key must still be untold when a question asked after
     * the read is answered; that changes the stamp, if it is told.
     */
    private CompletableFuture<Boolean> lookForMiss(String key, View before, long stamp) {
        if (!before.ready()
                || !unknownToMemory(key)
                || unsettled.stripe(key).stamp() != stamp
                || !generations.unchanged(before)) {
            return NO_MISS;
        }
        generations.add(key, Spelling.KEY);
        if (log == null) {
            missProved.run();
            return CompletableFuture.completedFuture(true);
        }
        return log.latest().handle((caughtUp, failure) -> {
            boolean untold = failure == null && unsettled.stripe(key).stamp() == stamp && generations.unchanged(before);
            if (untold) {
                missProved.run();
            }
            return untold;
        });
    }

    /** Whether memory, where it is trusted, has no trace of the key. In this order: not pending, not doubtful, filter. */
    boolean unknownToMemory(String key) {
        View seen = generations.view();
        Generation serving = seen.serving();
        return seen.ready()
                && serving != null
                && unsettled.state(key) == null
                && !serving.mightContain(key)
                && generations.unchanged(seen);
    }

    /** Whether the store has the key while memory, asked afterwards, does not. Then it is added, as any proven miss is. */
    CompletableFuture<Boolean> provesMiss(String key, Predicate<String> store) {
        View before = generations.view();
        long stamp = unsettled.stripe(key).stamp();
        return store.test(key) ? lookForMiss(key, before, stamp) : NO_MISS;
    }

    /** Whether the membership filter alone takes the key for a member. */
    boolean suspectedByFilter(String key) {
        Generation serving = generations.view().serving();
        return serving != null && serving.mightContain(key);
    }
}

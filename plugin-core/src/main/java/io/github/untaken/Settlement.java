package io.github.untaken;

import io.github.untaken.memory.Spelling;
import io.github.untaken.memory.UnsettledKeys;
import io.github.untaken.memory.Whitelist;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Recheck.Finding;
import java.util.concurrent.CompletableFuture;

/**
 * What becomes of a key once something happened to it: from the announcement to its place in the generations, to doubt, or to
 * nothing. Told by {@link NetEffect}; the thread that tells never waits for the store.
 *
 * <p>Every change of a key stamps it and takes it off the whitelist, under the monitor of its stripe.
 */
final class Settlement {
    static final String FAILED = "settling failed with ";

    private final UnsettledKeys unsettled;
    private final Whitelist whitelist;
    private final Generations generations;
    private final Recheck recheck;
    private final RegistrySettings settings;
    private final Releases releases;

    Settlement(
            UnsettledKeys unsettled,
            Whitelist whitelist,
            Generations generations,
            Recheck recheck,
            Releases releases,
            RegistrySettings settings) {
        this.unsettled = unsettled;
        this.whitelist = whitelist;
        this.generations = generations;
        this.recheck = recheck;
        this.releases = releases;
        this.settings = settings;
    }

    /** Makes a key visible as taken. False, and nothing changed, if too many are pending. */
    boolean announce(String key, Object owner) {
        if (unsettled.pending() >= settings.maxPending()) {
            return false;
        }
        change(key, () -> unsettled.announce(key, owner));
        return true;
    }

    /** After the commit: the last step is that the key is not pending any more. */
    void committed(String key, Spelling spelling, Object owner) {
        try {
            generations.add(key, spelling);
        } catch (RuntimeException | Error e) {
            // The row is committed whatever went wrong here, so the key may not just leave pending.
            generations.loseTrust(FAILED + e.getClass().getName());
        }
        change(key, () -> unsettled.leave(key, owner));
    }

    /** Told by the database's log: committed, by whomever. What it tells of again changes nothing but the stamp. */
    void told(String key, Spelling spelling, long number) {
        generations.add(key, spelling);
        // Before the stamp rises: whoever takes the new stamp knows that a read may not see this commit yet.
        unsettled.stripe(key).told(number);
        change(key, () -> {});
    }

    /**
     * After a transaction that is said to have left no row. What was committed behind the back of whoever says so ({@code
     * connection.commit()} on a connection lent out) would be forgotten with that, so where memory would call the key free from now
     * on, one read verifies it first. A taken name, refused a thousand times, costs none.
     */
    void rolledBack(String key, Spelling spelling, Object owner) {
        boolean[] verify = new boolean[1];
        change(key, () -> {
            // The end of another that is under way speaks for the key: its commit adds it, its rollback comes here.
            verify[0] = !unsettled.isPendingBeside(key, owner) && generations.wouldForget(key);
            if (verify[0]) {
                unsettled.unverify(key, owner);
            } else {
                unsettled.leave(key, owner);
            }
        });
        if (verify[0]) {
            CompletableFuture<Finding> unused = recheck.read(key).whenComplete((finding, failure) -> {
                if (finding == Finding.PRESENT) {
                    generations.add(key, Spelling.KEY);
                }
                // Too many reads waiting say nothing of the key; a store that fails may have lost that commit's reply.
                boolean doubt = failure != null
                        && !Recheck.wasRefused(failure)
                        && unsettled.hasRoomForDoubt(key, settings.maxDoubtful());
                change(key, () -> {
                    if (doubt) {
                        unsettled.doubt(key, owner, generations.isOdd(spelling));
                    } else {
                        unsettled.leave(key, owner);
                    }
                });
            });
        }
    }

    /** Nobody knows how the transaction ended: the key is doubtful, or nothing is trusted if too many are. */
    void unknown(String key, Spelling spelling, Object owner) {
        boolean room = unsettled.hasRoomForDoubt(key, settings.maxDoubtful());
        if (!room) {
            generations.loseTrustForDoubtLifetime(
                    "more than " + settings.maxDoubtful() + " registrations ended in doubt");
            if (generations.isOdd(spelling)) {
                generations.breakWord(); // nobody keeps this one
            }
        }
        change(key, () -> {
            if (room) {
                unsettled.doubt(key, owner, generations.isOdd(spelling));
            } else {
                unsettled.leave(key, owner);
            }
        });
    }

    /**
     * Settles a text of anonymous origin. If the store finds its key, that is added; and where the text is another, it is added as it is
     * spelt if the store finds that very text, so that strangers cannot have a name kept for nothing. Where a read fails it is added all
     * the same: a stray entry costs a read now and then, a missing one breaks the promise.
     *
     * @param mayEqualAnother whether the database may hold the text equal to another key too, which only a scan finds
     */
    void recheck(String key, String text, boolean mayEqualAnother, Object owner) {
        Spelling spelling = Spelling.of(text, key);
        CompletableFuture<Finding> unused = recheck.read(key).whenComplete((finding, failure) -> {
            if (finding == Finding.PRESENT) {
                generations.add(key, Spelling.KEY);
            }
            if (failure != null || spelling == Spelling.KEY && !mayEqualAnother) {
                settleFound(key, spelling, failure != null, mayEqualAnother, owner);
                return;
            }
            CompletableFuture<Boolean> unusedText = recheck.readText(text)
                    .whenComplete((found, fault) ->
                            settleFound(key, spelling, fault != null || found, mayEqualAnother, owner));
        });
    }

    private void settleFound(String key, Spelling spelling, boolean found, boolean mayEqualAnother, Object owner) {
        if (found && mayEqualAnother) {
            generations.loseTrust("a request registered an identifier of characters that no new one may have");
        }
        if (found) {
            committed(key, spelling, owner);
        } else {
            change(key, () -> unsettled.leave(key, owner));
        }
    }

    /** After the commit of a delete or a rename. */
    void released(String key) {
        releases.add(key);
    }

    private void change(String key, Runnable change) {
        UnsettledKeys.Stripe stripe = unsettled.stripe(key);
        synchronized (stripe) {
            stripe.bump();
            whitelist.forget(key);
            change.run();
        }
    }
}

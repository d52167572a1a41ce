package io.github.untaken;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What one transaction does to one kind, and how that is settled when it ends. An addition wins over a removal whatever
 * their order: callbacks of rolled-back savepoints tell of removals that never happened, and engines differ in the order
 * in which they tell.
 *
 * <p>Not thread-safe: one caller at a time, as {@link io.github.untaken.spi.IdentifierTransaction} asks.
 */
final class NetEffect {
    private final IdentifierRegistry registry;
    private final Settlement settlement;
    /** What is pending: each key with the number of its new rows, 0 if a row was written with the key it had. */
    private final Map<String, Integer> copies = new HashMap<>();

    private final Set<String> nonCanonical = new HashSet<>();
    private final Map<String, Long> removedInEpoch = new HashMap<>();
    private long unprovedRemovals;
    private boolean incomplete;
    private boolean settled;

    NetEffect(IdentifierRegistry registry) {
        this.registry = registry;
        this.settlement = registry.settlement();
    }

    /** Makes the value's key visible as taken. */
    void adding(String value) {
        announce(value, 1);
    }

    /** As {@link #adding}, for a row that owns a copy already, unless that was taken out since the row was read. */
    void rewriting(String value) {
        announce(value, 0);
    }

    private void announce(String value, int rows) {
        String key;
        try {
            key = registry.key(value);
        } catch (RuntimeException e) {
            giveUpCounting("the normalizer failed with " + e.getClass().getName());
            return;
        }
        if (!incomplete && !settlement.announce(key, this)) {
            giveUpCounting("a transaction registers more identifiers than can be kept pending");
        }
        if (incomplete) {
            if (!key.equals(value)) {
                registry.generations().distrustSpellings();
            }
            return;
        }
        copies.merge(key, rows, Integer::sum);
        if (!key.equals(value)) {
            nonCanonical.add(key);
        }
    }

    /** The transaction writes what no event tells of. */
    void unseen() {
        giveUpCounting("a transaction writes identifiers past the entity events (bulk or native SQL)");
    }

    /** The rest of this transaction is not followed key by key: the store answers until a rebuild after its end. */
    private void giveUpCounting(String reason) {
        if (!incomplete) {
            incomplete = true;
            registry.generations().openDoubt(reason);
        }
    }

    void removing(String value, boolean proved) {
        if (proved && !incomplete) {
            removedInEpoch.putIfAbsent(
                    registry.key(value), registry.generations().view().epoch());
        } else {
            unprovedRemovals++;
        }
    }

    /** No I/O: removals are proved later, on the registry's own threads. Also after {@link #unknown}. */
    void committed() {
        if (settled) {
            return;
        }
        settled = true;
        copies.forEach((key, count) -> {
            try {
                if (count == 0) {
                    registry.generations().addUnlessThere(key);
                } else {
                    registry.generations().add(key, count);
                }
                if (nonCanonical.contains(key)) {
                    registry.generations().noteNonCanonical(key);
                }
            } catch (RuntimeException | Error e) {
                // The row is committed whatever went wrong here, so the key may not just leave pending.
                registry.generations()
                        .loseTrust("settling failed with " + e.getClass().getName());
            }
            settlement.leavePending(key, this);
        });
        for (; unprovedRemovals > 0; unprovedRemovals--) {
            settlement.dropRemoval();
        }
        removedInEpoch.forEach((key, epoch) -> {
            if (copies.getOrDefault(key, 0) > 0) {
                settlement.dropRemoval();
            } else {
                settlement.removeIfProved(key, epoch);
            }
        });
        end(true);
    }

    void rolledBack() {
        if (settled) {
            return;
        }
        settled = true;
        copies.keySet().forEach(key -> settlement.leaveAfterRollback(key, this));
        end(true);
    }

    void unknown() {
        if (settled) {
            return;
        }
        copies.keySet().forEach(key -> {
            if (nonCanonical.contains(key)) {
                registry.generations().noteNonCanonical(key);
            }
            settlement.doubt(key, this);
        });
        end(false);
    }

    /** Settles keys that nobody vouches for, by a read each. */
    void recheck() {
        if (settled) {
            return;
        }
        settled = true;
        copies.keySet().forEach(key -> settlement.settleByRecheck(key, this));
        end(false);
    }

    private void end(boolean outcomeKnown) {
        if (incomplete) {
            incomplete = false;
            registry.generations().closeDoubt(outcomeKnown);
        }
    }
}

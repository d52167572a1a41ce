package io.github.untaken;

import io.github.untaken.memory.Spelling;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What one transaction does to one kind, and how that is settled when it ends. An addition wins over a removal whatever
 * their order: callbacks of rolled-back savepoints tell of removals that never happened, and engines differ in the order
 * in which they tell.
 *
 * <p>Not thread-safe: one caller at a time, as {@link io.github.untaken.spi.IdentifierTransaction} asks.
 */
final class NetEffect {
    /** In characters: as many as a form has in a servlet container that was told nothing else. */
    private static final int LONGEST_WATCHED = 1 << 21;

    private final IdentifierRegistry registry;
    private final Settlement settlement;
    /** What is pending, with the worst spelling of a value of it. */
    private final Map<String, Spelling> added = new HashMap<>();

    private final Set<String> removed = new HashSet<>();
    private boolean incomplete;
    private boolean settled;

    NetEffect(IdentifierRegistry registry) {
        this.registry = registry;
        this.settlement = registry.settlement();
    }

    /** Makes the value's key visible as taken. */
    void adding(String value) {
        if (registry.mayEqualAnotherKey(value)) {
            giveUpFollowing("a transaction writes an identifier of characters that no new one may have");
        }
        announce(value);
    }

    /**
     * As {@link #adding}, for a text of anonymous origin: strangers must not be able to keep the database busy. Ends with
     * {@link #recheck}. What is too long to be read may be any name.
     */
    void watching(String text) {
        if (text.length() > LONGEST_WATCHED) {
            giveUpFollowing("a watched request names a text of more than " + LONGEST_WATCHED + " characters");
        } else {
            announce(text);
        }
    }

    private void announce(String value) {
        String key;
        try {
            key = registry.key(value);
        } catch (RuntimeException e) {
            giveUpFollowing("the normalizer failed with " + e.getClass().getName());
            return;
        }
        if (!incomplete && !settlement.announce(key, this)) {
            giveUpFollowing("a transaction registers more identifiers than can be kept pending");
        }
        Spelling spelling = Spelling.of(value, key);
        if (!incomplete) {
            added.merge(key, spelling, Spelling::worst);
        } else if (spelling != Spelling.KEY) {
            registry.generations().breakWord(); // nobody keeps this one
        }
    }

    /** The transaction writes what no event tells of; the log does, where it is followed. */
    void unseen() {
        if (registry.followsLog()) {
            return;
        }
        giveUpFollowing("a transaction writes identifiers past the entity events (bulk or native SQL)");
    }

    /** The rest of this transaction is not followed key by key: the store answers until a rebuild after its end. */
    private void giveUpFollowing(String reason) {
        if (!incomplete) {
            incomplete = true;
            registry.generations().openDoubt(reason);
        }
    }

    void removing(String value) {
        removed.add(registry.key(value));
    }

    /** No I/O: what was removed is looked up later, on the registry's own threads. Also after {@link #unknown}. */
    void committed() {
        if (settled) {
            return;
        }
        settled = true;
        eachAdded((key, spelling) -> settlement.committed(key, spelling, this));
        for (String key : removed) {
            if (!added.containsKey(key)) {
                settlement.released(key);
            }
        }
        end(true);
    }

    void rolledBack() {
        if (settled) {
            return;
        }
        settled = true;
        eachAdded((key, spelling) -> settlement.rolledBack(key, spelling, this));
        end(true);
    }

    void unknown() {
        if (settled) {
            return;
        }
        eachAdded((key, spelling) -> settlement.unknown(key, spelling, this));
        end(false);
    }

    /** Settles what nobody vouches for: the one text it was told. */
    void recheck(String text) {
        if (settled) {
            return;
        }
        settled = true;
        eachAdded((key, spelling) -> settlement.recheck(key, text, registry.mayEqualAnotherKey(text), this));
        end(false);
    }

    /** An error in one, out of memory say, leaves that one pending, and so taken; the others are settled all the same. */
    private void eachAdded(BiConsumer<String, Spelling> settle) {
        added.forEach((key, spelling) -> {
            try {
                settle.accept(key, spelling);
            } catch (RuntimeException | Error e) {
                registry.generations()
                        .loseTrust(Settlement.FAILED + e.getClass().getName());
            }
        });
    }

    private void end(boolean outcomeKnown) {
        if (incomplete) {
            incomplete = false;
            registry.generations().closeDoubt(outcomeKnown);
        }
    }
}

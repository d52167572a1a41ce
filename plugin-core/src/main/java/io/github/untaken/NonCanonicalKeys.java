package io.github.untaken;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The keys of stored values that are not their own key, such as a row 'Alice' whose key is 'alice'. A store that compares
 * exactly would call such a key absent, so it is answered as taken without asking. Bounded: beyond {@link #LIMIT} the
 * store's "absent" can no longer be believed at all.
 */
final class NonCanonicalKeys {
    static final int LIMIT = 10_000;

    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final AtomicLong seen = new AtomicLong();
    private volatile boolean full;
    private volatile boolean storeFolds;

    /** Notes a value seen whose key differs. */
    synchronized void note(String key) {
        seen.incrementAndGet();
        if (storeFolds) {
            return;
        }
        if (keys.size() < LIMIT) {
            keys.add(key);
        } else if (!keys.contains(key)) {
            full = true;
        }
    }

    /** Notes a value whose key differs, but which the store finds by its key: nothing to remember. */
    void noteFound() {
        seen.incrementAndGet();
    }

    /** The scan showed that the store finds values under other spellings; none need be remembered. */
    synchronized void storeFolds() {
        storeFolds = true;
        full = false;
        keys.clear();
    }

    /** Whether {@link #storeFolds} was said. */
    boolean needsNone() {
        return storeFolds;
    }

    /** Not every key could be kept. */
    synchronized void overflow() {
        full = true;
    }

    /** Remembers in the other what is remembered here and chosen. */
    void copyTo(NonCanonicalKeys other, Predicate<String> chosen) {
        for (String key : keys) {
            if (chosen.test(key) && !other.contains(key)) {
                other.note(key);
            }
        }
    }

    boolean contains(String key) {
        return !keys.isEmpty() && keys.contains(key);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Whether some key could not be kept. */
    boolean isFull() {
        return full;
    }

    long seen() {
        return seen.get();
    }
}

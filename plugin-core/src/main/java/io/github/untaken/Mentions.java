package io.github.untaken;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keys that requests under way merely mention, exactly, and how many do: any of them may be registered at each moment, so the store
 * answers. They fill neither filter nor told set, since strangers choose them. Asking takes no lock.
 */
final class Mentions {
    private final Map<String, Integer> mentioned = new ConcurrentHashMap<>();
    /** Raised before a key is entered and lowered after it has left, so that zero proves the set empty without hashing. */
    private final AtomicInteger size = new AtomicInteger();

    private final int most;

    Mentions(int most) {
        this.most = most;
    }

    boolean has(String key) {
        return size.get() != 0 && mentioned.containsKey(key);
    }

    /** False, and nothing is changed, if too many are mentioned. */
    boolean enter(String key) {
        if (size.incrementAndGet() > most) {
            size.decrementAndGet();
            return false;
        }
        mentioned.merge(key, 1, Integer::sum);
        return true;
    }

    /** One of those who mention it does so no more. */
    void leave(String key) {
        mentioned.computeIfPresent(key, (same, times) -> times == 1 ? null : times - 1);
        size.decrementAndGet();
    }

    int size() {
        return size.get();
    }
}

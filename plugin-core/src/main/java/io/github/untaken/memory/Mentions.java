package io.github.untaken.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keys that requests under way merely mention, exactly, and how many do: any of them may be registered at each moment, so the store
 * answers. They fill neither filter nor told set, since strangers choose them. Asking takes no lock.
 */
public final class Mentions {
    private final Map<String, Integer> mentioned = new ConcurrentHashMap<>();
    /** Raised before a key is entered and lowered after it has left, so that zero proves the set empty without hashing. */
    private final AtomicInteger size = new AtomicInteger();
    /** How many of them the database may hold equal to any other key. */
    private final AtomicInteger vague = new AtomicInteger();

    private final int most;

    public Mentions(int most) {
        this.most = most;
    }

    public boolean has(String key) {
        return size.get() != 0 && (vague.get() != 0 || mentioned.containsKey(key));
    }

    /**
     * False, and nothing is changed, if too many are mentioned.
     *
     * @param isVague whether the database may hold the text equal to any key: then all of them count as mentioned
     */
    public boolean enter(String key, boolean isVague) {
        if (size.incrementAndGet() > most) {
            size.decrementAndGet();
            return false;
        }
        if (isVague) {
            vague.incrementAndGet();
        } else {
            mentioned.merge(key, 1, Integer::sum);
        }
        return true;
    }

    /** One of those who mention it does so no more. */
    public void leave(String key, boolean isVague) {
        if (isVague) {
            vague.decrementAndGet();
        } else {
            mentioned.computeIfPresent(key, (same, times) -> times == 1 ? null : times - 1);
        }
        size.decrementAndGet();
    }

    public int size() {
        return size.get();
    }
}

package io.github.untaken;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keys that one or more owners hold; a key leaves with the last of them. Any thread may ask; who changes a key holds the
 * monitor of its {@link PendingKeys.Stripe}.
 */
final class OwnedKeys {
    private final Map<String, Set<Object>> owners = new ConcurrentHashMap<>();
    // Raised before a key becomes visible and lowered after it is gone: zero proves the set empty without hashing the
    // key.
    private final AtomicInteger count = new AtomicInteger();

    boolean contains(String key) {
        return count.get() != 0 && owners.containsKey(key);
    }

    /** Whether the key would leave with this owner. */
    boolean isHeldOnlyBy(String key, Object owner) {
        Set<Object> present = owners.get(key);
        return present != null && present.size() == 1 && present.contains(owner);
    }

    int size() {
        return count.get();
    }

    /** Entering twice as the same owner is entering once. */
    void enter(String key, Object owner) {
        Set<Object> present = owners.get(key);
        if (present == null) {
            count.incrementAndGet();
            owners.put(key, Set.of(owner));
        } else if (!present.contains(owner)) {
            Set<Object> more = new HashSet<>(present);
            more.add(owner);
            owners.put(key, more);
        }
    }

    void leave(String key, Object owner) {
        Set<Object> present = owners.get(key);
        if (present == null || !present.contains(owner)) {
            return;
        }
        if (present.size() == 1) {
            owners.remove(key);
            count.decrementAndGet();
        } else {
            Set<Object> fewer = new HashSet<>(present);
            fewer.remove(owner);
            owners.put(key, fewer);
        }
    }
}

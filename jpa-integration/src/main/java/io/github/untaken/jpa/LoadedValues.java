package io.github.untaken.jpa;

import io.github.untaken.jpa.weak.WeakIdentity;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The identifiers of entities as they were last read from the database or written to it, as far as callbacks have told.
 * Entities are held weakly and compared by identity: they need no field for this, and stay collectable. An entry costs
 * about 150 bytes and goes with its entity. Thread-safe.
 */
final class LoadedValues {
    private final Map<WeakIdentity<Object>, String[]> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    void remember(Object entity, @Nullable String[] identifiers) {
        expunge();
        values.put(WeakIdentity.kept(entity, collected), identifiers);
    }

    /** In the order in which they were given; null if nothing is known of the entity. */
    @Nullable String @Nullable [] of(Object entity) {
        return values.get(WeakIdentity.of(entity));
    }

    @Nullable String @Nullable [] forget(Object entity) {
        return values.remove(WeakIdentity.of(entity));
    }

    int size() {
        expunge();
        return values.size();
    }

    private void expunge() {
        Reference<?> gone;
        while ((gone = collected.poll()) != null) {
            values.remove(gone);
        }
    }
}

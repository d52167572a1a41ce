package io.github.untaken.jpa;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the identifiers of entities were when they were last read from the database or written to it, as far as callbacks
 * have told. Entities are held weakly and compared by identity, so that they need no field for it and stay collectable; an
 * entry costs about 150 bytes and goes with its entity. Thread-safe.
 */
final class LoadedValues {
    private final Map<Key, String[]> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    void remember(Object entity, @Nullable String[] identifiers) {
        expunge();
        values.put(new Key(entity, collected), identifiers);
    }

    /** In the order they were remembered in; null if nothing is known of the entity. */
    @Nullable String @Nullable [] of(Object entity) {
        return values.get(new Key(entity, null));
    }

    @Nullable String @Nullable [] forget(Object entity) {
        return values.remove(new Key(entity, null));
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

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object entity, @Nullable ReferenceQueue<Object> queue) {
            super(entity, queue);
            hash = System.identityHashCode(entity);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Object entity = get();
            return other instanceof Key that && entity != null && entity == that.get();
        }
    }
}

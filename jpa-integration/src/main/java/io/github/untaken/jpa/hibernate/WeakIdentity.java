package io.github.untaken.jpa.hibernate;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** An object as the key of a map: held weakly, and equal only to itself. */
final class WeakIdentity<T> extends WeakReference<T> {
    private final int hash;

    private WeakIdentity(T object, @Nullable ReferenceQueue<? super T> collected) {
        super(object, collected);
        hash = System.identityHashCode(object);
    }

    /** A key to look up what is kept for an object. */
    static <T> WeakIdentity<T> of(T object) {
        return new WeakIdentity<>(object, null);
    }

    /**
     * A key to keep something for an object.
     *
     * @param collected gets the key once the object is collected
     */
    static <T> WeakIdentity<T> kept(T object, ReferenceQueue<? super T> collected) {
        return new WeakIdentity<>(object, collected);
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
        T object = get();
        return object != null && other instanceof WeakIdentity<?> that && object == that.get();
    }
}

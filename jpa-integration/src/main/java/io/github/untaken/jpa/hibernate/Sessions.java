package io.github.untaken.jpa.hibernate;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the writes of a session. Sessions are held weakly: one that was dropped without being closed is noticed after its
 * collection, and what it had open then counts as unknown.
 *
 * <p>A session that shares the connection and the transaction of another writes in that one's name.
 */
final class Sessions {
    private final OpenTransactions open;
    private final Map<Key, SessionWrites> writes = new ConcurrentHashMap<>();
    private final ReferenceQueue<SharedSessionContractImplementor> collected = new ReferenceQueue<>();

    Sessions(OpenTransactions open) {
        this.open = open;
    }

    SessionWrites of(SharedSessionContractImplementor session) {
        expunge();
        SharedSessionContractImplementor owner = ownerOfConnection(session);
        SessionWrites known = writes.get(new Key(owner, null));
        return known != null ? known : track(owner);
    }

    private SessionWrites track(SharedSessionContractImplementor owner) {
        Key key = new Key(owner, collected);
        SessionWrites created = new SessionWrites(open, () -> writes.remove(key));
        writes.put(key, created);
        owner.getEventListenerManager().addListener(created);
        return created;
    }

    private static SharedSessionContractImplementor ownerOfConnection(SharedSessionContractImplementor session) {
        return session.getJdbcCoordinator().getJdbcSessionOwner() instanceof SharedSessionContractImplementor owner
                ? owner
                : session;
    }

    void expunge() {
        Reference<?> gone;
        while ((gone = collected.poll()) != null) {
            SessionWrites abandoned = writes.remove((Key) gone);
            if (abandoned != null) {
                abandoned.abandon();
            }
        }
    }

    int size() {
        return writes.size();
    }

    private static final class Key extends WeakReference<SharedSessionContractImplementor> {
        private final int hash;

        Key(
                SharedSessionContractImplementor session,
                @Nullable ReferenceQueue<SharedSessionContractImplementor> queue) {
            super(session, queue);
            hash = System.identityHashCode(session);
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
            SharedSessionContractImplementor session = get();
            return other instanceof Key that && session != null && session == that.get();
        }
    }
}

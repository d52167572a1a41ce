package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.OpenTransactions;
import io.github.untaken.jpa.weak.WeakIdentity;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the writes of a session, once for each event. Sessions are held weakly: one that was dropped without being
 * closed is noticed after its collection.
 *
 * <p>A session that shares the connection and the transaction of another one writes in the name of that one.
 */
final class Sessions {
    private final OpenTransactions open;
    private final Map<WeakIdentity<SharedSessionContractImplementor>, SessionWrites> writes = new ConcurrentHashMap<>();
    private final ReferenceQueue<SharedSessionContractImplementor> collected = new ReferenceQueue<>();

    Sessions(OpenTransactions open) {
        this.open = open;
    }

    SessionWrites of(SharedSessionContractImplementor session) {
        expunge();
        SharedSessionContractImplementor owner = ownerOfConnection(session);
        SessionWrites known = writes.get(WeakIdentity.of(owner));
        return known != null ? known : track(owner);
    }

    /** Null if the session has written nothing yet. */
    @Nullable SessionWrites known(SharedSessionContractImplementor session) {
        return writes.get(WeakIdentity.of(ownerOfConnection(session)));
    }

    private SessionWrites track(SharedSessionContractImplementor owner) {
        WeakIdentity<SharedSessionContractImplementor> key = WeakIdentity.kept(owner, collected);
        SessionWrites created = new SessionWrites(open, key, () -> writes.remove(key));
        writes.put(key, created);
        owner.getEventListenerManager().addListener(created);
        owner.getTransactionCoordinator().addObserver(created);
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
            SessionWrites abandoned = writes.remove(gone);
            if (abandoned != null) {
                abandoned.abandon();
            }
        }
    }

    int size() {
        return writes.size();
    }
}

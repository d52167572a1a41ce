package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.OpenWrite;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.spi.JdbcCoordinator;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.hibernate.resource.transaction.internal.TransactionCoordinatorBuilderInitiator;
import org.jspecify.annotations.Nullable;

/**
 * Notices sessions that were given a connection of their own: no provider hands it out, so nobody hears what is written over it. From the
 * creation of such a session until ten minutes after its end, anything may be written. Stands before the builder of transaction
 * coordinators. Every new session calls that, except one that shares another's connection.
 */
final class OwnConnections extends Proxied {
    /** Hibernate's class for connections taken from a provider. */
    private static final String OF_PROVIDER = "org.hibernate.resource.jdbc.internal.LogicalConnectionManagedImpl";

    private static final Sessions SESSIONS = new Sessions();

    static {
        Road.handsOut(SESSIONS);
    }

    private OwnConnections(Object builder) {
        super(builder);
    }

    static void contributeTo(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(initiator(TransactionCoordinatorBuilderInitiator.INSTANCE, OwnConnections::new));
    }

    @Override
    @Nullable Object called(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("buildTransactionCoordinator") && arguments != null) {
            SESSIONS.made(arguments[0]);
        }
        return super.called(method, arguments);
    }

    /** Ends the tellings of sessions that are closed or gone. Call now and then. */
    static void look() {
        SESSIONS.look();
    }

    /** Those not known to have ended, by what holds their connection. */
    private static final class Sessions implements Road.HandedOut {
        private final Map<WeakIdentity<Object>, Told> open = new ConcurrentHashMap<>();
        private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

        /** Who has been told that anything may be written. */
        private static final class Told {
            private final Map<Road, OpenWrite> unseen = new HashMap<>(2); // guarded by this
            private boolean ended;

            synchronized void unheardBy(Road road) {
                if (!ended && !unseen.containsKey(road)) {
                    unseen.put(road, road.watch().unheard());
                }
            }

            synchronized void end() {
                ended = true;
                unseen.values().forEach(OpenWrite::ended);
            }
        }

        void made(@Nullable Object owner) {
            if (!(owner instanceof JdbcCoordinator coordinator) || isOfProvider(coordinator)) {
                return;
            }
            Told told = new Told();
            open.put(WeakIdentity.kept(owner, collected), told);
            Road.told().forEach(told::unheardBy);
            look();
        }

        private static boolean isOfProvider(JdbcCoordinator coordinator) {
            LogicalConnectionImplementor logical = coordinator.getLogicalConnection();
            return logical != null && logical.getClass().getName().equals(OF_PROVIDER);
        }

        @Override
        public void unheardBy(Road road) {
            look();
            open.values().forEach(each -> each.unheardBy(road));
        }

        void look() {
            for (Object gone; (gone = collected.poll()) != null; ) {
                end(open.remove(gone));
            }
            open.forEach((key, told) -> {
                if (key.get() instanceof JdbcCoordinator coordinator
                        && !coordinator.getLogicalConnection().isOpen()) {
                    open.remove(key);
                    end(told);
                }
            });
        }

        private static void end(@Nullable Told told) {
            if (told != null) {
                told.end();
            }
        }
    }
}

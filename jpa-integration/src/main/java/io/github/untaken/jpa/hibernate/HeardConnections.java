package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.HeardConnection;
import io.github.untaken.jdbc.watch.UnwatchedConnection;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.connections.internal.ConnectionProviderInitiator;
import org.hibernate.engine.jdbc.connections.internal.MultiTenantConnectionProviderInitiator;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a connection provider, for one database or one per tenant. Each connection it hands out is heard by
 * {@linkplain Road all that are told}, and given back as it came.
 */
final class HeardConnections extends Proxied implements Road.HandedOut {
    private final Map<WeakIdentity<Connection>, Lent> lent = new ConcurrentHashMap<>();
    private final ReferenceQueue<Connection> collected = new ReferenceQueue<>();

    private HeardConnections(Object provider) {
        super(provider);
        Road.handsOut(this);
    }

    static void contributeTo(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(initiator(ConnectionProviderInitiator.INSTANCE, HeardConnections::new));
        builder.addInitiator(initiator(MultiTenantConnectionProviderInitiator.INSTANCE, HeardConnections::new));
    }

    /** A connection in somebody's hands. */
    private static final class Lent {
        private final Object from;
        private final List<Road> heard;
        private final List<UnwatchedConnection> unheard = new ArrayList<>(0); // guarded by this
        private int hands = 1; // a provider may hand one out to several
        private boolean back;

        Lent(Object from, List<Road> heard) {
            this.from = from;
            this.heard = heard;
        }

        synchronized void unheardBy(Road road, Connection connection) {
            if (!back && !heard.contains(road) && road.concerns(Road.without(connection), from) && isOpen(connection)) {
                unheard.add(new UnwatchedConnection(road.watch(), connection));
            }
        }

        /** Nothing more is sent over one that was closed without telling its provider. */
        private static boolean isOpen(Connection connection) {
            try {
                return !connection.isClosed();
            } catch (SQLException | RuntimeException e) {
                return true;
            }
        }

        synchronized Lent again() {
            hands++;
            return this;
        }

        /** Whether nobody has it any more. */
        synchronized boolean givesBack() {
            return --hands == 0;
        }

        synchronized List<UnwatchedConnection> givingBack() {
            back = true;
            unheard.forEach(UnwatchedConnection::givingBack);
            return unheard;
        }
    }

    /** A provider is asked for connections, and told which come back. */
    @Override
    @Nullable Object called(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Connection handed = connectionIn(arguments);
        if (handed == null) {
            Object result = super.called(method, arguments);
            return result instanceof Connection connection ? handOut(connection) : result;
        }
        List<HeardConnection> around = Road.around(handed);
        around.forEach(HeardConnection::givingBack);
        List<UnwatchedConnection> unheard = givingBack(handed);
        try {
            return super.called(method, came(arguments));
        } finally {
            around.forEach(HeardConnection::givenBack);
            unheard.forEach(UnwatchedConnection::givenBack);
        }
    }

    private List<UnwatchedConnection> givingBack(Connection handed) {
        AtomicReference<@Nullable Lent> gone = new AtomicReference<>();
        lent.computeIfPresent(WeakIdentity.of(handed), (key, known) -> {
            if (known.givesBack()) {
                gone.set(known);
                return null;
            }
            return known;
        });
        Lent known = gone.get();
        return known == null ? List.of() : known.givingBack();
    }

    private static @Nullable Connection connectionIn(@Nullable Object @Nullable [] arguments) {
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            if (arguments[i] instanceof Connection connection) {
                return connection;
            }
        }
        return null;
    }

    private static @Nullable Object @Nullable [] came(@Nullable Object @Nullable [] arguments) {
        @Nullable Object[] all = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < all.length; i++) {
            if (all[i] instanceof Connection connection) {
                all[i] = Road.without(connection);
            }
        }
        return all;
    }

    private Connection handOut(Connection connection) {
        expunge();
        while (true) {
            List<Road> told = Road.told();
            Lent fresh = new Lent(this, told);
            Connection heard;
            try {
                heard = Road.heard(connection, this, told);
            } catch (RuntimeException | Error e) { // the application gets it anyway
                heard = connection;
                fresh = new Lent(this, List.of());
            }
            Lent now = lent.merge(WeakIdentity.kept(heard, collected), fresh, (known, none) -> known.again());
            for (Road road : told) {
                now.unheardBy(road, heard);
            }
            if (Road.told() == told) {
                return heard; // whoever comes from now on finds it
            }
            Road.around(heard).forEach(HeardConnection::givenBack); // nobody has had it
            givingBack(heard).forEach(UnwatchedConnection::givenBack);
        }
    }

    private void expunge() {
        Reference<?> gone;
        while ((gone = collected.poll()) != null) {
            lent.remove(gone);
        }
    }

    @Override
    public void unheardBy(Road road) {
        lent.forEach((key, each) -> {
            Connection connection = key.get();
            if (connection != null) {
                each.unheardBy(road, connection);
            }
        });
    }
}

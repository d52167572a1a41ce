package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.HeardConnection;
import io.github.untaken.jdbc.watch.Watch;
import io.github.untaken.jdbc.watch.WatchingProxy;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of what Hibernate writes in this JVM, and over which connections. Static, since any factory may write another's tables, and
 * only the JVM knows of both. While nobody wants to be told, each connection is handed out as it came.
 *
 * <p>Whoever hands out something that can be written over first makes it known, then reads the list of those who are told. Whoever wants to
 * be told is first listed, then looks at what was handed out before. One of the two sees the other.
 */
final class Road {
    private static final Object LISTING = new Object();
    private static final List<WeakReference<HandedOut>> ALL = new CopyOnWriteArrayList<>();
    private static volatile List<Road> told = List.of();

    private final Watch watch;
    private final WatchingProxy proxies;
    private final @Nullable Object source;
    private final Predicate<Connection> ownDatabase;

    /** What was handed out, and may be written over. */
    interface HandedOut {
        /** From now on, what is written unheard by this road is unseen. */
        void unheardBy(Road road);
    }

    /**
     * Tells nobody yet.
     *
     * @param source whose connections all lead to the watched tables; null if not known
     * @param ownDatabase whether a connection from elsewhere may lead to the database of the watched tables too
     */
    Road(Watch watch, @Nullable Object source, Predicate<Connection> ownDatabase) {
        this.watch = watch;
        this.proxies = new WatchingProxy(watch, Road.class);
        this.source = source;
        this.ownDatabase = ownDatabase;
    }

    static void handsOut(HandedOut one) {
        ALL.removeIf(each -> each.refersTo(null));
        ALL.add(new WeakReference<>(one));
    }

    /** The same list until somebody comes or goes. */
    static List<Road> told() {
        return told;
    }

    /** Tells of all that is sent from now on. What is sent over connections handed out before is unseen. */
    void attach() {
        synchronized (LISTING) {
            List<Road> more = new ArrayList<>(told);
            more.add(this);
            told = List.copyOf(more);
        }
        for (WeakReference<HandedOut> each : ALL) {
            HandedOut known = each.get();
            if (known != null) {
                known.unheardBy(this);
            }
        }
    }

    /** Connections in use go on telling, to nobody. */
    void detach() {
        synchronized (LISTING) {
            List<Road> others = new ArrayList<>(told);
            others.remove(this);
            told = List.copyOf(others);
        }
    }

    boolean isAttached() {
        return told.contains(this);
    }

    Watch watch() {
        return watch;
    }

    /** Whether a connection may lead to the watched tables. May wait until the connection is free, but not for an answer. */
    boolean concerns(Connection connection, Object from) {
        return source == from || ownDatabase.test(connection);
    }

    /** The connection as all of these roads hear it, one behind the other; itself if none does. */
    static Connection heard(Connection connection, Object from, List<Road> roads) {
        Connection heard = connection;
        for (Road road : roads) {
            if (road.concerns(connection, from)) {
                heard = road.proxies.of(heard);
            }
        }
        return heard;
    }

    /** What has been put before a connection here, outermost first. */
    static List<HeardConnection> around(Connection connection) {
        List<HeardConnection> found = List.of();
        Connection next = connection;
        while (next != null) {
            Connection behind = behind(next);
            if (behind != null) {
                found = found.isEmpty() ? new ArrayList<>(1) : found;
                found.add((HeardConnection) next);
            }
            next = behind;
        }
        return found;
    }

    /** The connection that came from the provider. */
    static Connection without(Connection heard) {
        Connection last = heard;
        for (Connection behind = behind(last); behind != null; behind = behind(last)) {
            last = behind;
        }
        return last;
    }

    private static @Nullable Connection behind(Connection connection) {
        return connection instanceof HeardConnection heard ? heard.behind(Road.class) : null;
    }
}

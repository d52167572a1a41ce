package io.github.untaken.jpa.hibernate;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The session factories of this JVM that a checker is connected to. Static, because another factory can write the same
 * tables and only the JVM knows of both; held weakly, so that a factory that is forgotten can go.
 */
final class ConnectedFactories {
    private static final List<WeakReference<HeardFactory>> ALL = new CopyOnWriteArrayList<>();

    private ConnectedFactories() {}

    static void add(HeardFactory factory) {
        ALL.removeIf(each -> each.refersTo(null));
        ALL.add(new WeakReference<>(factory));
    }

    static void remove(HeardFactory factory) {
        ALL.removeIf(each -> each.refersTo(null) || each.refersTo(factory));
    }

    /** The others that are not closed. */
    static List<HeardFactory> besides(HeardFactory own) {
        List<HeardFactory> others = List.of();
        for (WeakReference<HeardFactory> each : ALL) {
            HeardFactory factory = each.get();
            if (factory != null && factory != own && !factory.sessionFactory().isClosed()) {
                others = others.isEmpty() ? new ArrayList<>(1) : others;
                others.add(factory);
            }
        }
        return others;
    }
}

package io.github.untaken.jpa.hibernate;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The session factories of this JVM whose events a checker hears. Static, for another factory can write the same tables, and
 * nothing but the JVM knows of both; held weakly, so that a factory which is forgotten can go.
 */
final class HeardFactories {
    private static final List<WeakReference<EntityEvents>> ALL = new CopyOnWriteArrayList<>();

    private HeardFactories() {}

    static void add(EntityEvents events) {
        ALL.removeIf(each -> each.refersTo(null));
        ALL.add(new WeakReference<>(events));
    }

    static void remove(EntityEvents events) {
        ALL.removeIf(each -> each.refersTo(null) || each.refersTo(events));
    }

    /** All but this one, unless they are closed. */
    static List<EntityEvents> besides(EntityEvents own) {
        List<EntityEvents> others = List.of();
        for (WeakReference<EntityEvents> each : ALL) {
            EntityEvents events = each.get();
            if (events != null && events != own && !events.factory().isClosed()) {
                others = others.isEmpty() ? new ArrayList<>(1) : others;
                others.add(events);
            }
        }
        return others;
    }
}

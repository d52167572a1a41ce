package io.github.untaken.memory;

import io.github.untaken.Announcement;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Announcements handed to the application, which may close them or lose them. */
public final class HandedOut {
    private static final class Handle extends PhantomReference<Announcement> {
        private final Telling telling;

        Handle(Announcement announcement, Telling telling, ReferenceQueue<Announcement> lost) {
            super(announcement, lost);
            this.telling = telling;
        }
    }

    private final Consumer<Telling> ended;
    private final ReferenceQueue<Announcement> lost = new ReferenceQueue<>();
    private final Set<Handle> handles = ConcurrentHashMap.newKeySet(); // keeps the references themselves reachable

    /** @param ended told of each one that was closed or lost, perhaps more than once */
    public HandedOut(Consumer<Telling> ended) {
        this.ended = ended;
    }

    public Announcement of(Telling telling) {
        Announcement announcement = new Announcement() {
            @Override
            public void close() {
                ended.accept(telling);
            }
        };
        handles.add(new Handle(announcement, telling, lost));
        return announcement;
    }

    /** Ends those that were lost. */
    public void tick() {
        for (Reference<? extends Announcement> one = lost.poll(); one != null; one = lost.poll()) {
            if (one instanceof Handle handle) {
                handles.remove(handle);
                ended.accept(handle.telling);
            }
        }
    }
}

package io.github.untaken.jdbc.watch;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Connections lent to an application that may lose them: never returned, and collected. Phantom references watch their holders without
 * keeping them alive. Thread-safe; does not block.
 */
public final class LentConnections {
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet(); // or they would be collected themselves

    LentConnections() {}

    /** One object through which a connection can be used. */
    static final class Hold extends PhantomReference<Object> {
        private final LentConnections lent;
        private final Consumer<Hold> lost;

        private Hold(LentConnections lent, Object by, Consumer<Hold> lost) {
            super(by, lent.collected);
            this.lent = lent;
            this.lost = lost;
        }

        /** It no longer matters whether it is collected. */
        void release() {
            clear();
            lent.holds.remove(this);
        }
    }

    /**
     * Watches an object through which a connection can be used.
     *
     * @param lost told once the object has been collected, unless it is released; must not lead to the object
     */
    Hold hold(Object by, Consumer<Hold> lost) {
        look();
        Hold hold = new Hold(this, by, lost);
        holds.add(hold);
        return hold;
    }

    /** Looks for what has been collected. */
    public void look() {
        for (Reference<?> one = collected.poll(); one != null; one = collected.poll()) {
            if (one instanceof Hold hold && holds.remove(hold)) {
                hold.lost.accept(hold);
            }
        }
    }
}

package io.github.untaken.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tellings that a generation born now must hear of: those whose work is under way, and for a while those of which nobody knows
 * whether the server is done with them.
 *
 * <p>Who tells enters the set and then reads the list of living generations; a birth enters the list and then reads the set. So one of
 * the two sees the other, and neither takes a lock.
 */
public final class OpenTellings {
    private record Lingering(Telling telling, long until) {}

    private final Set<Telling> open;
    private final AtomicInteger texts = new AtomicInteger();
    private final Queue<Lingering> lingering = new ArrayDeque<>(); // guarded by this; the oldest first
    private final int mostTexts;
    private final long lingerTicks;
    private volatile long tick;

    /**
     * @param mostTexts beyond which a telling is kept without its texts, so that no birth begins beside it
     * @param lingerTicks how many calls of {@link #tick} one lingers
     */
    public OpenTellings(int mostTexts, long lingerTicks) {
        this(ConcurrentHashMap.newKeySet(), mostTexts, lingerTicks);
    }

    /** @param open empty and concurrent */
    public OpenTellings(Set<Telling> open, int mostTexts, long lingerTicks) {
        this.open = open;
        this.mostTexts = mostTexts;
        this.lingerTicks = lingerTicks;
    }

    /** It is open from now on, if it was not before. */
    public void open(Telling telling) {
        if (telling.enter()) {
            open.add(telling);
        }
    }

    /** Keeps a text for those that are born later; false if there is no room, and then no birth may begin beside the telling. */
    public boolean keep(Telling telling, String text) {
        if (telling.blocksBirths() || telling.isGone()) {
            return true; // each birth waits for it in any case, or sees its transaction
        }
        if (texts.get() >= mostTexts || !telling.note(text)) {
            return false;
        }
        texts.incrementAndGet();
        return true;
    }

    /** The server is done with it. False if it was gone. */
    public boolean close(Telling telling) {
        if (!telling.go()) {
            return false;
        }
        open.remove(telling);
        texts.addAndGet(-telling.size());
        return true;
    }

    /** Nobody knows when the server is done with it. */
    public synchronized void linger(Telling telling) {
        lingering.add(new Lingering(telling, tick + lingerTicks));
    }

    /**
     * A moment of this process's own time has passed: one that stood still has not aged. By one thread at a time.
     *
     * @param aged told of each that has lingered for long enough
     */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void tick(Consumer<Telling> aged) {
        tick++;
        for (Telling telling = nextAged(); telling != null; telling = nextAged()) {
            aged.accept(telling);
        }
    }

    private synchronized @Nullable Telling nextAged() {
        Lingering oldest = lingering.peek();
        if (oldest == null || oldest.until() > tick) {
            return null;
        }
        lingering.poll();
        return oldest.telling();
    }

    public void forEach(Consumer<Telling> each) {
        open.forEach(each);
    }

    /** Whether a birth waits for one that the server is done with. */
    public boolean anyAnsweredBlocks() {
        return open.stream().anyMatch(telling -> telling.isAnswered() && telling.blocksBirths());
    }

    /**
     * Closes whatever the server is done with.
     *
     * @param close called for each
     */
    public void closeAnswered(Consumer<Telling> close) {
        open.forEach(telling -> {
            if (telling.isAnswered()) {
                close.accept(telling);
            }
        });
        synchronized (this) {
            lingering.removeIf(one -> one.telling().isGone());
        }
    }

    /** How many texts are kept. */
    public int texts() {
        return texts.get();
    }

    /** How many linger. */
    public synchronized int lingering() {
        return lingering.size();
    }
}

package io.github.untaken.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tellings that a generation born now must be told of: those whose work is under way and, for a while, those of
 * which it is unknown whether the server is done with them.
 *
 * <p>A teller enters the set, then reads the list of living generations; a birth enters the list, then reads the set.
 * So one of the two sees the other, without a lock.
 */
public final class OpenTellings {
    private record Lingering(Telling telling, long until) {}

    private final Set<Telling> open;
    private final AtomicInteger texts = new AtomicInteger();
    private final Queue<Lingering> lingering = new ArrayDeque<>(); // guarded by this; oldest first
    private final int mostTexts;
    private final long lingerTicks;
    private volatile long tick;

    /**
     * @param mostTexts beyond this, a telling is kept without its texts, and no birth begins beside it
     * @param lingerTicks for how many calls of {@link #tick} a telling lingers
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

    /** Opens a telling that was not open before. */
    public void open(Telling telling) {
        if (telling.enter()) {
            open.add(telling);
        }
    }

    /** Keeps a text for later births. False if there is no room; no birth may then begin beside the telling. */
    public boolean keep(Telling telling, String text) {
        if (telling.blocksBirths() || telling.isGone()) {
            return true; // each birth waits for it anyway, or sees its transaction
        }
        if (texts.get() >= mostTexts || !telling.note(text)) {
            return false;
        }
        texts.incrementAndGet();
        return true;
    }

    /** The server is done with it. False if it was already gone. */
    public boolean close(Telling telling) {
        if (!telling.go()) {
            return false;
        }
        open.remove(telling);
        texts.addAndGet(-telling.size());
        return true;
    }

    /** It is unknown when the server is done with it. */
    public synchronized void linger(Telling telling) {
        lingering.add(new Lingering(telling, tick + lingerTicks));
    }

    /**
     * A moment of this process's own time has passed; while the process stood still, nothing aged. Called by one thread
     * at a time.
     *
     * @param aged given each telling that has lingered long enough
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

    /** Whether a telling that the server is done with still holds up births. */
    public boolean anyAnsweredBlocks() {
        return open.stream().anyMatch(telling -> telling.isAnswered() && telling.blocksBirths());
    }

    /**
     * Closes every telling that the server is done with.
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

    public int texts() {
        return texts.get();
    }

    public synchronized int lingering() {
        return lingering.size();
    }
}

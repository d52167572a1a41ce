package io.github.untaken;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An announcement made by a call: one key, settled once by whoever speaks first. */
final class SingleAnnouncement implements Announcement {
    private final AtomicReference<@Nullable NetEffect> open;
    private final Consumer<NetEffect> rolledBack;
    private final Consumer<NetEffect> inDoubt;

    private SingleAnnouncement(NetEffect effect, Consumer<NetEffect> rolledBack, Consumer<NetEffect> inDoubt) {
        this.open = new AtomicReference<>(effect);
        this.rolledBack = rolledBack;
        this.inDoubt = inDoubt;
    }

    /** The caller speaks for a transaction: an unknown outcome makes the key doubtful. */
    static Announcement ofTransaction(NetEffect effect) {
        return new SingleAnnouncement(effect, NetEffect::rolledBack, NetEffect::unknown);
    }

    /** Nobody vouches for the caller, a request that may or may not register something: a read decides. */
    static Announcement ofRequest(NetEffect effect, String text) {
        Consumer<NetEffect> read = asked -> asked.recheck(text);
        return new SingleAnnouncement(effect, read, read);
    }

    @Override
    public void committed() {
        settle(NetEffect::committed);
    }

    @Override
    public void rolledBack() {
        settle(rolledBack);
    }

    @Override
    public void close() {
        settle(inDoubt);
    }

    private void settle(Consumer<NetEffect> how) {
        NetEffect effect = open.getAndSet(null);
        if (effect != null) {
            how.accept(effect);
        }
    }
}

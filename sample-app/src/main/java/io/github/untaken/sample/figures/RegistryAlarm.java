package io.github.untaken.sample.figures;

import io.github.untaken.CheckListener;
import io.github.untaken.RegistryState;
import io.github.untaken.spi.IdentifierKind;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Hears what becomes of the registries and notes it. Stricter than the library in one point: where a committed name is
 * proved missing from memory, others may be missing too, so the kind is not answered from memory until a rescan has ended.
 */
public final class RegistryAlarm implements CheckListener {
    private final Events events;
    private volatile Consumer<IdentifierKind> distrust = kind -> {};

    public RegistryAlarm(Events events) {
        this.events = events;
    }

    /**
     * Says what to do upon a proved miss; nothing before this is called.
     *
     * @param distrust sends the checks of a kind to the database until a rescan that begins after the call has ended
     */
    public void onMiss(Consumer<IdentifierKind> distrust) {
        this.distrust = distrust;
    }

    @Override
    public void stateChanged(IdentifierKind kind, RegistryState state, String reason) {
        events.add(state.name().toLowerCase(Locale.ROOT), kind.name(), reason);
    }

    @Override
    public void missProved(IdentifierKind kind) {
        events.add("miss", kind.name(), "");
        distrust.accept(kind);
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        events.add("rebuilt", kind.name(), String.format(Locale.ROOT, "%,d / %.1f s", rows, nanos / 1e9));
    }
}

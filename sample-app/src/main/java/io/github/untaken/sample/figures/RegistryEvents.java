package io.github.untaken.sample.figures;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import java.util.Locale;

/** Hears what becomes of the registries and notes it. */
public final class RegistryEvents implements CheckListener {
    private final Events events;
    private final Runnable stateChanged;

    /** @param stateChanged run after each change of state is noted; must not block */
    public RegistryEvents(Events events, Runnable stateChanged) {
        this.events = events;
        this.stateChanged = stateChanged;
    }

    @Override
    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
        events.add(state.name().toLowerCase(Locale.ROOT), kind.name(), reason);
        stateChanged.run();
    }

    @Override
    public void missProved(IdentifierKind kind) {
        events.add("miss", kind.name(), "");
    }

    @Override
    public void rebuilt(IdentifierKind kind, long rows, long nanos) {
        events.add("rebuilt", kind.name(), String.format(Locale.ROOT, "%,d / %.1f s", rows, nanos / 1e9));
    }
}

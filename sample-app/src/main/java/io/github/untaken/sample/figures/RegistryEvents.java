package io.github.untaken.sample.figures;

import io.github.untaken.CheckListener;
import io.github.untaken.RegistryState;
import io.github.untaken.spi.IdentifierKind;
import java.util.Locale;

/** Hears what becomes of the registries and notes it. */
public final class RegistryEvents implements CheckListener {
    private final Events events;

    public RegistryEvents(Events events) {
        this.events = events;
    }

    @Override
    public void stateChanged(IdentifierKind kind, RegistryState state, String reason) {
        events.add(state.name().toLowerCase(Locale.ROOT), kind.name(), reason);
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

package io.github.untaken.sample.figures;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.StoreRead;
import io.github.untaken.sample.reads.CheckTraces;
import java.util.Locale;

/** Hears what becomes of the registries, and what they ask the database, and notes it. */
public final class RegistryEvents implements CheckListener {
    private final Events events;
    private final CheckTraces traces;
    private final Runnable stateChanged;

    /** @param stateChanged run after each change of state is noted; must not block */
    public RegistryEvents(Events events, CheckTraces traces, Runnable stateChanged) {
        this.events = events;
        this.traces = traces;
        this.stateChanged = stateChanged;
    }

    @Override
    public Object storeAsked(IdentifierKind kind) {
        return traces.asked();
    }

    @Override
    public void storeRead(IdentifierKind kind, StoreRead read) {
        traces.read(read);
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

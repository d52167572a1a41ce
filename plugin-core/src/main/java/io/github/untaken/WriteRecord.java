package io.github.untaken;

import io.github.untaken.memory.Telling;
import io.github.untaken.spi.IdentifierWrite;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** What one piece of work may write, kind by kind. */
final class WriteRecord implements IdentifierWrite {
    private final Kinds kinds;
    private final Map<IdentifierKind, Telling> tellings = new LinkedHashMap<>(2);

    WriteRecord(Kinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public void adding(IdentifierKind kind, String value) {
        tellingsOf(kind).tell(telling(kind), value);
    }

    @Override
    public void unseen(IdentifierKind kind) {
        tellingsOf(kind).unseenUnlessLogged(telling(kind));
    }

    private Tellings tellingsOf(IdentifierKind kind) {
        return kinds.registry(kind).tellings();
    }

    private Telling telling(IdentifierKind kind) {
        return tellings.computeIfAbsent(kind, k -> tellingsOf(k).begin());
    }

    @Override
    public void over() {
        each(Tellings::over);
    }

    @Override
    public void ended() {
        each(Tellings::linger);
    }

    private void each(BiConsumer<Tellings, Telling> work) {
        tellings.forEach((kind, telling) -> work.accept(tellingsOf(kind), telling));
    }
}

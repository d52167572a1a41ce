package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;
import io.github.untaken.spi.IdentifierWrite;
import java.util.function.BiConsumer;

/** What one piece of work may write, kind by kind. */
public final class WriteRecord implements IdentifierWrite {
    private final Kinds kinds;
    /** One for each kind, allocated in advance: on a full heap, not even unseen work could be reported otherwise. */
    private final Telling[] tellings;

    public WriteRecord(Kinds kinds) {
        this.kinds = kinds;
        this.tellings = new Telling[kinds.size()];
        for (int i = 0; i < tellings.length; i++) {
            tellings[i] = new Telling();
        }
    }

    @Override
    public void adding(IdentifierKind kind, String value) {
        int i = kinds.index(kind);
        tellingsOf(i).tell(tellings[i], value);
    }

    @Override
    public void unseen(IdentifierKind kind) {
        int i = kinds.index(kind);
        tellingsOf(i).unseenUnlessLogged(tellings[i]);
    }

    private Tellings tellingsOf(int index) {
        return kinds.at(index).registered().tellings();
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
        for (int i = 0; i < tellings.length; i++) {
            work.accept(tellingsOf(i), tellings[i]);
        }
    }
}

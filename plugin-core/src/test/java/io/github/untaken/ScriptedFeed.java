package io.github.untaken;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A log in the test's hands: it tells what it is told to tell, and its questions can stand still or fail. */
final class ScriptedFeed implements ChangeFeed {
    private final Set<IdentifierKind> covered;
    private final AtomicReference<Gate> heldQuestion = new AtomicReference<>();
    private final AtomicReference<Gate> heldTurn = new AtomicReference<>();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile boolean silent;
    private volatile ChangeSink sink;
    private volatile boolean disconnected;

    ScriptedFeed(IdentifierKind... covered) {
        this.covered = Set.of(covered);
    }

    @Override
    public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return covered;
    }

    @Override
    public void connect(ChangeSink told) {
        sink = told;
    }

    ChangeSink sink() {
        return sink;
    }

    /** From now on questions fail, or are answered again. */
    void silent(boolean fails) {
        silent = fails;
    }

    /** The next question has been asked and waits for its mark until the gate opens. */
    Gate holdQuestion() {
        Gate gate = new Gate();
        heldQuestion.set(gate);
        return gate;
    }

    int questions() {
        return questions.get();
    }

    @Override
    public void awaitMark(Duration timeout) {
        questions.incrementAndGet();
        if (silent) {
            throw new StoreException("the feed was told to be silent");
        }
        Gate gate = heldQuestion.getAndSet(null);
        if (gate != null) {
            gate.pass();
        }
    }

    /** Who wants to scan next waits for its turn. */
    Gate holdTurn() {
        Gate gate = new Gate();
        heldTurn.set(gate);
        return gate;
    }

    @Override
    public Turn takeTurn(Duration wait) {
        Gate gate = heldTurn.getAndSet(null);
        if (gate != null) {
            gate.pass();
        }
        return () -> {};
    }

    @Override
    public void disconnect() {
        disconnected = true;
    }

    boolean disconnected() {
        return disconnected;
    }
}

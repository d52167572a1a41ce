package io.github.untaken;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A log in the test's hands: it tells what it is told to tell, and its questions can stand still or fail. */
public final class ScriptedFeed implements ChangeFeed.Resumable {
    private final Set<IdentifierKind> covered;
    private final AtomicReference<Gate> heldQuestion = new AtomicReference<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger timesKept = new AtomicInteger();
    private volatile boolean silent;
    private volatile boolean runsAhead;
    private volatile ChangeSink sink;
    private volatile boolean disconnected;
    private volatile Set<String> left;
    private volatile Set<String> kept;
    private final Set<String> everKept = ConcurrentHashMap.newKeySet();
    private volatile Supplier<Optional<String>> position = () -> Optional.of("here");

    public ScriptedFeed(IdentifierKind... covered) {
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

    /** Commits stand in it before they can be seen. */
    void runAhead() {
        runsAhead = true;
    }

    @Override
    public boolean runsAhead() {
        return runsAhead;
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

    @Override
    public void resume(Set<String> positions) {
        left = positions;
    }

    /** What was left by an earlier life; null before it is told. */
    Set<String> left() {
        return left;
    }

    @Override
    public Optional<String> position() {
        return position.get();
    }

    void position(Supplier<Optional<String>> reached) {
        position = reached;
    }

    @Override
    public void kept(Set<String> positions) {
        everKept.addAll(positions);
        kept = positions;
        timesKept.incrementAndGet(); // last: who has seen the count sees the positions
    }

    int timesKept() {
        return timesKept.get();
    }

    /** All that was ever on the disk. */
    Set<String> everKept() {
        return everKept;
    }

    /** Null before it is told of any. */
    Set<String> kept() {
        return kept;
    }

    @Override
    public void disconnect() {
        disconnected = true;
    }

    boolean disconnected() {
        return disconnected;
    }
}

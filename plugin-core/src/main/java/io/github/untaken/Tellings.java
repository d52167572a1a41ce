package io.github.untaken;

import io.github.untaken.memory.Generation;
import io.github.untaken.memory.OpenTellings;
import io.github.untaken.memory.Telling;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Alphabet;
import org.jspecify.annotations.Nullable;

/**
 * Tells the generations of one kind of each text that may be stored, before its SQL is sent. How the transaction ends is not asked:
 * an addition that is told twice, late or for nothing does no harm.
 *
 * <p>Whoever tells enters the open set, <em>then</em> reads which generations live and tells each; a birth is listed among them,
 * <em>then</em> reads the open set. So one of the two sees the other. What fails to be told, for whatever reason, is unseen.
 */
final class Tellings {
    private final Generations generations;
    private final IdentifierNormalizer normalizer;
    private final @Nullable Alphabet alphabet;
    private final OpenTellings open;
    private final boolean logTells;
    /** Whether a birth can wait for whoever has written, so that a statement need not be kept once it is over. */
    private volatile boolean barrierProved;

    /**
     * @param alphabet null if the database holds nothing equal that keys tell apart
     * @param logTells whether the database's log tells of what is unseen
     */
    Tellings(
            Generations generations,
            IdentifierNormalizer normalizer,
            @Nullable Alphabet alphabet,
            OpenTellings open,
            boolean logTells) {
        this.generations = generations;
        this.normalizer = normalizer;
        this.alphabet = alphabet;
        this.open = open;
        this.logTells = logTells;
    }

    // ---------------------------------------------------------------- by whoever writes

    /** Begins to tell: of nothing as yet. */
    Telling begin() {
        Telling telling = new Telling();
        open.open(telling);
        return telling;
    }

    /** Whatever memory is made of knows the text when this returns, or is not believed. */
    void tell(Telling telling, String text) {
        try {
            if (!open.keep(telling, text) && telling.blockBirths()) {
                generations.block();
            }
            if (mayEqualAnotherKey(text)) {
                unseen(telling);
            }
            tellLiving(text);
        } catch (RuntimeException | Error e) {
            unseen(telling);
        }
    }

    /** What the telling's work writes nobody can name, or it could not be told. */
    void unseen(Telling telling) {
        if (!telling.becomeUnseen()) {
            return;
        }
        if (telling.blockBirths()) {
            generations.block();
        }
        generations.raiseUnseen();
    }

    /** As {@link #unseen}, of work that the log tells of where it is followed. */
    void unseenUnlessLogged(Telling telling) {
        if (!logTells) {
            unseen(telling);
        }
    }

    /** The server is done with the statement, and its transaction, if it has not ended, is in sight of the barrier. */
    void over(Telling telling) {
        if (barrierProved) {
            close(telling);
        }
    }

    /** Nobody knows whether the server is done with it, or no barrier would show the transaction: it lingers. */
    void linger(Telling telling) {
        if (telling.lingers()) {
            open.linger(telling);
        }
    }

    /** The server is done with it, and there is no transaction any more. */
    void close(Telling telling) {
        if (!open.close(telling)) {
            return;
        }
        if (telling.blocksBirths()) {
            generations.unblock();
        }
    }

    /** A moment of the registry's own time has passed. */
    void tick() {
        open.tick(this::close);
    }

    /** What new tellings are worth depends on whether births can wait for transactions. */
    void barrier(boolean proved) {
        barrierProved = proved;
    }

    /** Whether statements have been forgotten because births wait for their transactions. */
    boolean reliesOnBarrier() {
        return barrierProved;
    }

    // ---------------------------------------------------------------- of what is committed

    /** A text was committed by somebody, or may have been. Memory knows it when this returns, or is not believed. */
    void committed(String text) {
        try {
            tellLiving(text);
            if (mayEqualAnotherKey(text)) {
                generations.loseTrust("an identifier was written of characters that no new one may have");
            }
        } catch (RuntimeException | Error e) {
            generations.loseTrust(
                    "an identifier could not be told: " + e.getClass().getName());
        }
    }

    private void tellLiving(String text) {
        String fold = normalizer.key(text);
        boolean room = true;
        for (Generation generation : generations.living()) {
            room &= generation.tell(fold);
        }
        if (!room) {
            generations.loseTrust("the membership filter is full");
        }
    }

    /** Whether the database may hold this text equal to a key that is not its own; which, only a scan finds. */
    private boolean mayEqualAnotherKey(String text) {
        return alphabet != null && !alphabet.holds(text);
    }

    // ---------------------------------------------------------------- births

    /** Lists a newborn and tells it of all that is open. As {@link Generations#list}. */
    long born(Generation next) {
        long baseline = generations.list(next);
        if (baseline >= 0) {
            open.forEach(telling -> telling.texts().forEach(text -> {
                if (!next.tell(normalizer.key(text))) {
                    generations.distrust("the membership filter is full");
                }
            }));
        }
        return baseline;
    }

    /** How many texts are kept for those that are born later. */
    int open() {
        return open.texts();
    }

    /** How many pieces of work nobody knows to be over. */
    int lingering() {
        return open.lingering();
    }
}

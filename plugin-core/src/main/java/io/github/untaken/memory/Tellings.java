package io.github.untaken.memory;

import java.util.function.Consumer;

/**
 * Tells the generations of one kind of each text that may be stored, before its SQL is sent. How the transaction ends is not asked:
 * an addition that is told twice, late or for nothing does no harm.
 *
 * <p>Whoever tells enters the open set, <em>then</em> reads which generations live and tells each; a birth is listed among them,
 * <em>then</em> reads the open set. So one of the two sees the other. What fails to be told, for whatever reason, is unseen.
 */
public final class Tellings {
    private final Generations generations;
    private final OpenTellings open;
    private final boolean logTells;
    private final Consumer<Throwable> faults;
    private volatile Barrier barrier = Barrier.UNASKED;
    private Telling logged = new Telling(); // guarded by this

    /** Whether a birth can wait for whoever has written, so that a statement need not be kept once it is over. */
    private enum Barrier {
        UNASKED,
        UNPROVED,
        PROVED
    }

    /**
     * @param logTells whether the database's log tells of what is unseen
     * @param faults hears why something could not be told; must not block
     */
    public Tellings(Generations generations, OpenTellings open, boolean logTells, Consumer<Throwable> faults) {
        this.generations = generations;
        this.open = open;
        this.logTells = logTells;
        this.faults = faults;
    }

    // ---------------------------------------------------------------- by whoever writes

    /** Whatever memory is made of knows the text when this returns, or is not believed. */
    public void tell(Telling telling, String text) {
        try {
            open.open(telling);
            if (!open.keep(telling, text) && telling.blockBirths()) {
                generations.block();
            }
            tellLiving(text);
        } catch (RuntimeException | Error e) {
            untold(telling, e);
        }
    }

    /** Something that the telling's work writes could not be told: it is unseen. Works on a full heap. */
    public void untold(Telling telling, Throwable why) {
        unseen(telling);
        try {
            faults.accept(why);
        } catch (RuntimeException | Error e) {
            // Memory does not answer by now; why, nobody hears.
        }
    }

    /** What the telling's work writes nobody can name. Works on a full heap. */
    public void unseen(Telling telling) {
        if (!telling.becomeUnseen()) {
            return;
        }
        if (telling.blockBirths()) {
            generations.block();
        }
        generations.raiseUnseen();
        try {
            if (telling.isGone()) {
                generations.requestBirth(); // which sees its transaction
            }
            open.open(telling);
        } catch (RuntimeException | Error e) {
            // Memory does not answer by now, and no birth that begins before it is over need find it there.
        }
    }

    /** As {@link #unseen}, of work that the log tells of where it is followed. */
    public void unseenUnlessLogged(Telling telling) {
        if (!logTells) {
            unseen(telling);
        }
    }

    /**
     * The server is done with the statement, and its transaction, if it has not ended, is in sight of the barrier. As long as nobody
     * has asked whether there is one, the statement waits for that, and the birth that it keeps waiting asks.
     */
    public void over(Telling telling) {
        telling.answer(); // then the look: whoever has asked looks at the tellings afterwards
        Barrier seen = barrier;
        if (seen == Barrier.PROVED) {
            close(telling);
        } else if (seen == Barrier.UNASKED && telling.blocksBirths()) {
            generations.requestBirth();
        }
    }

    /** Nobody knows whether the server is done with it, or no barrier would show the transaction: it lingers. */
    public void linger(Telling telling) {
        if (telling.lingers()) {
            open.linger(telling);
        }
    }

    /** The server is done with it, and there is no transaction any more. */
    public void close(Telling telling) {
        if (!open.close(telling)) {
            return;
        }
        if (telling.blocksBirths()) {
            generations.unblock();
        }
    }

    /** A moment of the registry's own time has passed. */
    public void tick() {
        endLogged();
        open.tick(this::close);
    }

    /** What tellings are worth depends on whether births can wait for transactions. */
    public void barrier(boolean proved) {
        boolean news = proved && barrier != Barrier.PROVED;
        barrier = proved ? Barrier.PROVED : Barrier.UNPROVED;
        if (news) {
            open.closeAnswered(this::close);
        }
    }

    /** Whether statements have been forgotten because births wait for their transactions. */
    public boolean reliesOnBarrier() {
        return barrier == Barrier.PROVED;
    }

    /** Whether a birth is refused for work that is over, because nobody knows yet whether there is a barrier. */
    public boolean awaitsBarrier() {
        return barrier == Barrier.UNASKED && open.anyAnsweredBlocks();
    }

    // ---------------------------------------------------------------- of what is committed

    /**
     * The log tells of a text. It may run ahead of what reads see, and then only a barrier keeps a birth from scanning too early: without
     * one the text is kept for those that are born.
     */
    public void logged(String text) {
        if (barrier == Barrier.PROVED) {
            committed(text);
        } else {
            tell(logged(), text);
        }
    }

    private synchronized Telling logged() {
        return logged;
    }

    /** One for all that the log tells between two ticks, or a long transaction of somebody's would be as many as it has rows. */
    private void endLogged() {
        Telling ended;
        synchronized (this) {
            ended = logged;
            logged = new Telling();
        }
        over(ended);
        linger(ended);
    }

    /** A text is stored, and whatever is born from now on reads it. Memory knows it when this returns, or is not believed. */
    public void committed(String text) {
        try {
            tellLiving(text);
        } catch (RuntimeException | Error e) {
            generations.raiseUnseen(); // makes nothing; what follows may find no room
            generations.loseTrust(
                    "an identifier could not be told: " + e.getClass().getName());
        }
    }

    private void tellLiving(String text) {
        boolean room = true;
        for (Generation generation : generations.living()) {
            room &= generation.tell(text);
        }
        if (!room) {
            generations.loseTrust("the membership filter is full");
        }
    }

    // ---------------------------------------------------------------- births

    /** Lists a newborn and tells it of all that is open. As {@link Generations#list}. */
    public long born(Generation next) {
        long baseline = generations.list(next);
        if (baseline >= 0) {
            open.forEach(telling -> telling.texts().forEach(text -> {
                if (!next.tell(text)) {
                    generations.distrust("the membership filter is full");
                }
            }));
        }
        return baseline;
    }

    /** How many texts are kept for those that are born later. */
    public int open() {
        return open.texts();
    }

    /** How many pieces of work nobody knows to be over. */
    public int lingering() {
        return open.lingering();
    }
}

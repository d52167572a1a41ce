package io.github.untaken.memory;

import java.util.function.Consumer;

/**
 * Tells the generations of one kind of each text that may be stored, before its SQL is sent. How the transaction ends
 * does not matter: telling an addition twice, late or for nothing does no harm.
 *
 * <p>A teller enters the open set, <em>then</em> reads the list of living generations and tells each one. A birth is
 * listed there, <em>then</em> reads the open set. So one of the two sees the other. Whatever cannot be told, for any
 * reason, is unseen.
 */
public final class Tellings {
    private static final String FULL = "the membership filter is full, and a larger one is being built";

    private final Generations generations;
    private final OpenTellings open;
    private final boolean logTells;
    private final Consumer<Throwable> faults;
    private volatile Barrier barrier = Barrier.UNASKED;
    private Telling logged = new Telling(); // guarded by this

    /** Whether a birth can wait for all writers, so that a statement need not be kept once it is over. */
    private enum Barrier {
        UNASKED,
        UNPROVED,
        PROVED
    }

    /**
     * @param logTells whether the database's log reveals what is unseen
     * @param faults given the reason why something could not be told; must not block
     */
    public Tellings(Generations generations, OpenTellings open, boolean logTells, Consumer<Throwable> faults) {
        this.generations = generations;
        this.open = open;
        this.logTells = logTells;
        this.faults = faults;
    }

    // ---------------------------------------------------------------- by whoever writes

    /** When this returns, memory knows the text or is not trusted. */
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

    /** Something that the work writes could not be told: it is unseen. Works on a full heap. */
    public void untold(Telling telling, Throwable why) {
        unseen(telling);
        try {
            faults.accept(why);
        } catch (RuntimeException | Error e) {
            // Memory no longer answers; only the reason is lost.
        }
    }

    /** The work writes something that cannot be named. Works on a full heap. */
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
                generations.requestBirth(); // that birth sees its transaction
            }
            open.open(telling);
        } catch (RuntimeException | Error e) {
            // Memory no longer answers, and a birth that begins before this is over need not find the telling in the
            // set.
        }
    }

    /** As {@link #unseen}, unless a followed log reports the work. */
    public void unseenUnlessLogged(Telling telling) {
        if (!logTells) {
            unseen(telling);
        }
    }

    /**
     * The server is done with the statement, and the barrier can see its transaction if that has not ended. Until a
     * barrier has been asked for, the statement waits; the birth that it holds up will ask.
     */
    public void over(Telling telling) {
        telling.answer(); // before the barrier is read: whoever asks for the barrier looks at the tellings afterwards
        Barrier seen = barrier;
        if (seen == Barrier.PROVED) {
            close(telling);
        } else if (seen == Barrier.UNASKED && telling.blocksBirths()) {
            generations.requestBirth();
        }
    }

    /** It is unknown whether the server is done with it, or no barrier would show the transaction: it lingers. */
    public void linger(Telling telling) {
        if (telling.lingers()) {
            open.linger(telling);
        }
    }

    /** The server is done with it, and its transaction has ended. */
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

    /** Whether births can wait for transactions; if so, answered tellings need not be kept. */
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

    /** Whether finished work holds up a birth because it is not known yet whether there is a barrier. */
    public boolean awaitsBarrier() {
        return barrier == Barrier.UNASKED && open.anyAnsweredBlocks();
    }

    // ---------------------------------------------------------------- of what is committed

    /**
     * The log reports a text. The log may be ahead of what reads see; then only a barrier keeps a birth from scanning
     * too early. Without one, the text is kept for later births.
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

    /**
     * One telling for all that the log reports between two ticks; otherwise one long transaction would need as many as
     * it has rows.
     */
    private void endLogged() {
        Telling ended;
        synchronized (this) {
            ended = logged;
            logged = new Telling();
        }
        over(ended);
        linger(ended);
    }

    /**
     * A text is stored, and any generation born from now on reads it. When this returns, memory knows it or is not
     * trusted.
     */
    public void committed(String text) {
        try {
            tellLiving(text);
        } catch (RuntimeException | Error e) {
            generations.raiseUnseen(); // allocates nothing; the next call may find no room
            generations.loseTrust("an identifier could not be recorded: "
                    + e.getClass().getName() + "; if the normalizer threw, make its key(...) accept every text");
        }
    }

    private void tellLiving(String text) {
        boolean room = true;
        for (Generation generation : generations.living()) {
            room &= generation.tell(text);
        }
        if (!room) {
            generations.loseTrust(FULL);
        }
    }

    // ---------------------------------------------------------------- births

    /** Lists a newborn and tells it of all that is open. Returns as {@link Generations#list}. */
    public long born(Generation next) {
        long baseline = generations.list(next);
        if (baseline >= 0) {
            open.forEach(telling -> telling.texts().forEach(text -> {
                if (!next.tell(text)) {
                    generations.distrust(FULL);
                }
            }));
        }
        return baseline;
    }

    /** How many texts are kept for later births. */
    public int open() {
        return open.texts();
    }

    /** How many pieces of work are not known to be over. */
    public int lingering() {
        return open.lingering();
    }
}

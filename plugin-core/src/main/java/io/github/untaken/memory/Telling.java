package io.github.untaken.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * What one piece of work, such as a statement, may store in one kind. It is open from before the work is sent until the server is done
 * with it; a generation that is born meanwhile is told of it too. What it tells only grows. Thread-safe.
 */
public final class Telling {
    private final List<String> texts = new ArrayList<>(1); // guarded by this
    private boolean blocksBirths; // guarded by this
    private boolean unseen; // guarded by this
    private boolean answered; // guarded by this
    private boolean entered; // guarded by this; into the open set, by the first that it told
    private boolean lingers; // guarded by this
    private boolean gone; // guarded by this; nobody waits for it any more

    /** Whether it enters the open set now, and has not before. */
    synchronized boolean enter() {
        boolean first = !entered && !gone;
        entered = true;
        return first;
    }

    /** Notes a text; false if it must not be kept, since the telling is one that no birth begins beside. */
    synchronized boolean note(String text) {
        return !blocksBirths && texts.add(text);
    }

    /** What more it tells cannot be handed to those that are born later. False if that was so, or if nobody waits for it any more. */
    public synchronized boolean blockBirths() {
        boolean first = !blocksBirths && !gone;
        blocksBirths |= first;
        return first;
    }

    /** Something it writes nobody can name. False if that was so. */
    public synchronized boolean becomeUnseen() {
        boolean first = !unseen;
        unseen = true;
        return first;
    }

    public synchronized boolean blocksBirths() {
        return blocksBirths;
    }

    /** How many texts are kept. */
    synchronized int size() {
        return texts.size();
    }

    public synchronized List<String> texts() {
        return List.copyOf(texts);
    }

    /** The server is done with its statement; whether a birth can see the transaction is another matter. */
    public synchronized void answer() {
        answered = true;
    }

    public synchronized boolean isAnswered() {
        return answered;
    }

    /** Whether it begins to, and has not before; one that told nothing never does. */
    public synchronized boolean lingers() {
        boolean first = !lingers && !gone && (entered || unseen);
        lingers = true;
        return first;
    }

    /** Whether nobody waits for it any more. */
    public synchronized boolean isGone() {
        return gone;
    }

    /** False if it was gone. */
    synchronized boolean go() {
        boolean first = !gone;
        gone = true;
        return first;
    }
}

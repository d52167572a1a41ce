package io.github.untaken.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * What one piece of work, such as a statement, may store in one kind. It is open from before the work is sent until the
 * server is done with it; a generation born meanwhile is told of it too. Its content only grows. Thread-safe.
 */
public final class Telling {
    private final List<String> texts = new ArrayList<>(1); // guarded by this
    private boolean blocksBirths; // guarded by this
    private boolean unseen; // guarded by this
    private boolean answered; // guarded by this
    private boolean entered; // guarded by this; whether its first text put it into the open set
    private boolean lingers; // guarded by this
    private boolean gone; // guarded by this; no one waits for it any more

    /** Whether it must enter the open set now, for the first time. */
    synchronized boolean enter() {
        boolean first = !entered && !gone;
        entered = true;
        return first;
    }

    /** Notes a text. False if the text must not be kept because no birth begins beside this telling. */
    synchronized boolean note(String text) {
        return !blocksBirths && texts.add(text);
    }

    /**
     * Anything more that it tells cannot be passed to later births. False if that was so already, or if no one waits
     * for it any more.
     */
    public synchronized boolean blockBirths() {
        boolean first = !blocksBirths && !gone;
        blocksBirths |= first;
        return first;
    }

    /** It writes something that cannot be named. False if that was so already. */
    public synchronized boolean becomeUnseen() {
        boolean first = !unseen;
        unseen = true;
        return first;
    }

    public synchronized boolean blocksBirths() {
        return blocksBirths;
    }

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

    /** Whether it starts to linger now, for the first time. A telling that told nothing never does. */
    public synchronized boolean lingers() {
        boolean first = !lingers && !gone && (entered || unseen);
        lingers = true;
        return first;
    }

    public synchronized boolean isGone() {
        return gone;
    }

    /** False if it was already gone. */
    synchronized boolean go() {
        boolean first = !gone;
        gone = true;
        return first;
    }
}

package io.github.untaken.sample.experiment;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who may do something long to the site: one at a time, for two would spoil each other's figures. Thread-safe. */
public final class Turn {
    private @Nullable String holder;

    /** Claims it; false if somebody has it. Whoever got it calls {@link #leave}. */
    public synchronized boolean take(String what) {
        if (holder != null) {
            return false;
        }
        holder = what;
        return true;
    }

    /** Runs this now, unless somebody has the turn; nobody can take it meanwhile. It must be short. */
    public synchronized boolean whileNobodyHasIt(Runnable work) {
        if (holder != null) {
            return false;
        }
        work.run();
        return true;
    }

    public synchronized void leave() {
        holder = null;
    }

    synchronized boolean isOf(String what) {
        return what.equals(holder);
    }

    /** What is being done now. */
    public synchronized Optional<String> holder() {
        return Optional.ofNullable(holder);
    }
}

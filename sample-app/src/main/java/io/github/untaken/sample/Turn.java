package io.github.untaken.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who may do something long to the site: one at a time, for two would spoil each other's figures. Thread-safe. */
final class Turn {
    private @Nullable String holder;

    /** Claims it; false if somebody has it. Whoever got it calls {@link #leave}. */
    synchronized boolean take(String what) {
        if (holder != null) {
            return false;
        }
        holder = what;
        return true;
    }

    synchronized void leave() {
        holder = null;
    }

    /** What is being done now. */
    synchronized Optional<String> holder() {
        return Optional.ofNullable(holder);
    }
}

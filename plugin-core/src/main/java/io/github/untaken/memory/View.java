package io.github.untaken.memory;

import io.github.untaken.KindState;
import org.jspecify.annotations.Nullable;

/**
 * What a check reads once: whether memory may answer, and which generation does.
 *
 * @param cause why memory does not answer, as a sentence for people; empty when {@code READY}
 * @param setback what delayed the birth that is to mend it; empty if nothing did
 * @param serving the generation that answers in {@code READY}; null before the first scan has finished
 */
public record View(
        KindState state,
        String cause,
        String setback,
        @Nullable Generation serving) {

    static View warming() {
        return new View(KindState.WARMING, "the first scan has not finished", "", null);
    }

    static View ready(Generation serving) {
        return new View(KindState.READY, "", "", serving);
    }

    /** The cause, and the setback if there was one. */
    public String reason() {
        return setback.isEmpty() ? cause : cause + "; " + setback;
    }

    public boolean ready() {
        return state == KindState.READY;
    }

    View setBack(String why) {
        return new View(state, cause, why, serving);
    }

    View degraded(String why) {
        return new View(state == KindState.READY ? KindState.DEGRADED : state, why, setback, serving);
    }

    View closed() {
        return new View(KindState.CLOSED, "the checker was closed", "", null);
    }
}

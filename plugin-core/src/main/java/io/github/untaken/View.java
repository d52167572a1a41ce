package io.github.untaken;

import io.github.untaken.memory.Generation;
import org.jspecify.annotations.Nullable;

/**
 * What a check reads once and compares, by identity, before it answers "available" from memory: had anything been swapped
 * or lost in between, it starts over.
 *
 * @param cause why memory does not answer, a sentence for people; empty when {@code READY}
 * @param setback what came in the way of the scan that is to mend that; empty if nothing did
 * @param complete whether nothing may have been written that memory was not told of; {@code READY} is, and so is a kind that a
 *     mere obstacle keeps from answering
 * @param serving the generation that answers in {@code READY}; null before the first scan has finished
 */
record View(
        KindState state,
        String cause,
        String setback,
        long epoch,
        boolean complete,
        @Nullable Generation serving) {

    static View warming() {
        return new View(KindState.WARMING, "the first scan has not finished", "", 0, false, null);
    }

    /** The cause, and the setback if there was one. */
    String reason() {
        return setback.isEmpty() ? cause : cause + "; " + setback;
    }

    boolean ready() {
        return state == KindState.READY;
    }

    /** Whether each value there is has been told of or scanned, and its key kept if it is odd. */
    boolean knowsEveryValue() {
        return complete && serving != null && !serving.odd().isFull();
    }

    View setBack(String why) {
        return new View(state, cause, why, epoch, complete, serving);
    }

    View degraded(String why) {
        return degraded(why, false);
    }

    /** As {@link #degraded(String)}, for a reason that leaves nothing unknown. */
    View obstructed(String why) {
        return degraded(why, complete);
    }

    private View degraded(String why, boolean nothingMissed) {
        KindState lower = state == KindState.READY ? KindState.DEGRADED : state;
        return new View(lower, why, setback, epoch + 1, nothingMissed, serving);
    }

    View closed() {
        return new View(KindState.CLOSED, "the checker was closed", "", epoch + 1, false, null);
    }
}

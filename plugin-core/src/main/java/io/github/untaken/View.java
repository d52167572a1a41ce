package io.github.untaken;

import org.jspecify.annotations.Nullable;

/**
 * What a check reads once and compares, by identity, before it answers "available" from memory: had anything been swapped
 * or lost in between, it starts over.
 *
 * @param serving the generation that answers in {@code READY}; null before the first scan has finished
 */
record View(
        RegistryState state,
        String reason,
        long epoch,
        @Nullable Generation serving) {

    static View warming() {
        return new View(RegistryState.WARMING, "the first scan has not finished", 0, null);
    }

    boolean ready() {
        return state == RegistryState.READY;
    }

    View because(String why) {
        return new View(state, why, epoch, serving);
    }

    View degraded(String why) {
        return new View(state == RegistryState.READY ? RegistryState.DEGRADED : state, why, epoch + 1, serving);
    }

    View closed() {
        return new View(RegistryState.CLOSED, "the checker was closed", epoch + 1, null);
    }
}

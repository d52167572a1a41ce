package io.github.untaken;

import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the builder was told and every registry needs to know.
 *
 * @param maxAnnounced texts of work under way that are kept for the generations to come
 * @param renewalInterval how soon renewals may follow one another
 * @param linger how long something is still expected to be stored whose end nobody has seen
 * @param tick how often clocks and marks are looked at, and how soon a scan that failed is first tried again
 */
record RegistrySettings(
        GenerationFactory generations,
        Duration recheckTimeout,
        int maxAnnounced,
        Duration rescanInterval,
        Duration rebuildInterval,
        Duration renewalInterval,
        Duration barrierTimeout,
        Duration linger,
        int scanThreads,
        Duration auditInterval,
        int auditRows,
        Duration tick,
        LongSupplier nanoTime,
        CheckListener listener) {
    private static final Duration LEAST_MARGIN = Duration.ofMinutes(1);

    /** How many ticks something lingers of which nobody knows whether it is over: the process's own time, so one that is paused does not age it. */
    long lingerTicks() {
        return linger.toNanos() / tick.toNanos() + 1;
    }

    /** How long ago the last complete scan may have begun for memory to answer: the rescan interval and half of it, or a minute. */
    Duration mostAge() {
        Duration half = rescanInterval.dividedBy(2);
        return rescanInterval.plus(half.compareTo(LEAST_MARGIN) > 0 ? half : LEAST_MARGIN);
    }
}

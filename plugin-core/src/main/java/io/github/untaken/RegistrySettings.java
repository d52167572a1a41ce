package io.github.untaken;

import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the builder was told and every registry needs to know.
 *
 * @param tick how often clocks and marks are looked at, and how soon a scan that failed is first tried again
 */
record RegistrySettings(
        GenerationFactory generations,
        Duration recheckTimeout,
        long whitelistSize,
        Duration whitelistLifetime,
        int maxPending,
        int maxDoubtful,
        Duration rescanInterval,
        Duration rebuildInterval,
        Duration barrierTimeout,
        Duration doubtLifetime,
        int scanThreads,
        double staleShare,
        Duration sweepDelay,
        Duration auditInterval,
        int auditRows,
        Duration tick,
        LongSupplier nanoTime,
        CheckListener listener) {
    private static final Duration LEAST_MARGIN = Duration.ofMinutes(1);

    /** How long ago the last complete scan may have begun for memory to answer: the rescan interval and half of it, or a minute. */
    Duration mostAge() {
        Duration half = rescanInterval.dividedBy(2);
        return rescanInterval.plus(half.compareTo(LEAST_MARGIN) > 0 ? half : LEAST_MARGIN);
    }
}

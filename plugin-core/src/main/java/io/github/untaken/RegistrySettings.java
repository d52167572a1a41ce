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
        CheckListener listener) {}

package io.github.untaken;

import io.github.untaken.filter.FilterType;
import java.time.Duration;
import java.util.function.LongSupplier;

/** What the builder was told and every registry needs to know. */
record RegistrySettings(
        FilterType filter,
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
        Duration auditInterval,
        int auditRows,
        LongSupplier nanoTime,
        CheckListener listener) {}

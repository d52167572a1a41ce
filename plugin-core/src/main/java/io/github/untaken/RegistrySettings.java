package io.github.untaken;

import java.time.Duration;
import java.util.function.LongSupplier;

/** What the builder was told and every registry needs to know. */
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
        Duration auditInterval,
        int auditRows,
        LongSupplier nanoTime,
        CheckListener listener) {}

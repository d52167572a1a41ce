package io.github.untaken.memory;

/**
 * When a question was asked that this process has caught up with in the log: whatever was committed before is known.
 * Taken from two clocks, because the monotonic one may stand still while a machine is paused.
 */
public record Lease(long nanos, long millis) {}

package io.github.untaken.log;

/**
 * When a question was asked that this process's view of the log has caught up with: whatever was committed before is known. By two
 * clocks, because the one that cannot be set may stand still while a machine is paused.
 */
public record Lease(long nanos, long millis) {}

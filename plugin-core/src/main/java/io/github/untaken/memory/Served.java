package io.github.untaken.memory;

/**
 * The scan that made the serving generation, or an earlier one.
 *
 * @param began by the settings' clock
 * @param database identifies what was read
 */
public record Served(long began, String database) {}

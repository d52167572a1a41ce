package io.github.untaken.memory;

/**
 * The scan that the serving generation was made by, or an earlier one.
 *
 * @param began by the settings' clock
 * @param database what tells what was read from all else
 */
public record Served(long began, String database) {}

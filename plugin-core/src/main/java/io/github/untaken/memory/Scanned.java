package io.github.untaken.memory;

import java.time.Instant;

/**
 * Which scan made a generation.
 *
 * @param database identifies the database, tables and columns that were scanned, as far as their stores can tell
 * @param at when it began, by the wall clock; values erased before that are not in the generation
 */
public record Scanned(String database, Instant at) {}

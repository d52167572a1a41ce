package io.github.untaken.memory;

import java.time.Instant;

/**
 * Which scan a generation was made by.
 *
 * @param database what tells the database, the tables and the columns that were scanned from all others, as far as their stores say that
 * @param at when it began, by the clock on the wall; what was erased before is not in the generation
 */
public record Scanned(String database, Instant at) {}

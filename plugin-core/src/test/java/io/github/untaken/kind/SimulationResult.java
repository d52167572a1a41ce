package io.github.untaken.kind;

import java.util.List;

/**
 * How one seed went.
 *
 * @param violation what went wrong, or null
 * @param trace what happened in words, if that was asked for
 */
record SimulationResult(long seed, long traceHash, String violation, List<String> trace, SimulationCounts counts) {}

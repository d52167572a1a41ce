package io.github.untaken.memory;

/**
 * A generation that was read from a file.
 *
 * @param position the feed's position in the log when it was written; the generation holds everything up to there
 */
public record KeptGeneration(Generation generation, Scanned scanned, String position) {}

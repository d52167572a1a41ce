package io.github.untaken.memory;

/**
 * A generation that was read from a file.
 *
 * @param position how far the log was told when it was written, as the feed said; it holds all up to there
 */
public record KeptGeneration(Generation generation, Scanned scanned, String position) {}

package io.github.untaken.memory;

/**
 * A generation that was read from a file.
 *
 * @param position the feed's position in the log when it was written; the generation holds everything up to there
 */
public record KeptGeneration(Generation generation, Scanned scanned, String position) {
    /** The line in the log if it is not used, with the kind and the reason. */
    public static final String NOT_RESUMED = "The snapshot of kind {0} was not resumed ({1}); scanning the store";
}

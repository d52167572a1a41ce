package io.github.untaken.sample.experiment;

import java.util.List;

/**
 * All replays of one experiment.
 *
 * @param users accounts the database was seeded with
 * @param ready whether all registries answered from memory when the second replay began; else it says little
 * @param registryBytes memory of all registries
 * @param registryEntries what they hold
 */
public record Result(
        long seed,
        int checks,
        Mix mix,
        int users,
        boolean ready,
        List<Run> runs,
        FalsePositives falsePositives,
        long registryBytes,
        long registryEntries) {

    /**
     * False alarms, each text counted once however often it was asked.
     *
     * @param freeTexts those that nobody holds, and that the membership filter was asked for
     * @param falsePositives those of them it took for taken
     */
    record FalsePositives(int freeTexts, int falsePositives) {
        double rate() {
            return freeTexts == 0 ? 0 : (double) falsePositives / freeTexts;
        }
    }
}

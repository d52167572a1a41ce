package io.github.untaken.sample.experiment;

import java.util.List;

/**
 * All replays of one experiment.
 *
 * @param plan what was replayed
 * @param ready whether all registries answered from memory when the second replay began; else it says little
 * @param registryBytes memory of all registries
 * @param registryEntries what they hold
 */
public record Result(
        Plan plan,
        boolean ready,
        List<Run> runs,
        FalsePositives falsePositives,
        long registryBytes,
        long registryEntries) {

    /**
     * What decides which checks are in the list.
     *
     * @param users accounts the database was seeded with
     */
    record Plan(long seed, int checks, int users, Mix mix) {}

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

package io.github.untaken.sample.experiment;

import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.ProcessIo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One replay of the list of checks.
 *
 * @param reads what was read; with the whitelist on, this counts all checks of the site, those of others included
 * @param otherChecks how many checks of others there were during the run
 * @param rounds the mean time of a check in each round, in nanoseconds and in their order
 * @param processIo what the operating system counted for the whole process meanwhile; empty where it does not
 */
record Run(
        Mode mode,
        CheckReads.Sum reads,
        long otherChecks,
        List<Double> rounds,
        Map<AnswerClass, Integer> classes,
        Optional<ProcessIo> processIo) {

    /** The median of the rounds, in nanoseconds. */
    double nanosPerCheck() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    int count(AnswerClass answer) {
        return classes.getOrDefault(answer, 0);
    }
}

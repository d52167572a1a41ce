package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.filter.FilterType;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * What kind of world of several nodes one seed has.
 *
 * @param boundMillis of every node
 * @param pace how many nanoseconds pass between two events at most
 * @param percentLatest how likely a node has all its checks wait for news
 * @param folds whether the column folds ASCII case
 * @param displayForms whether values are stored that are not their own keys
 * @param slowScans whether a lot happens between two rows
 * @param filterBits how many bits of a hash the filter tells apart
 * @param maxTold names that a generation is told of, from which on it learns nothing
 * @param maxAnnounced texts of work under way that are kept for newborns
 * @param clocksPause whether machines are paused, with the clock that cannot be set; else clocks on the wall may be set back
 * @param percentStandingStill how many reads and questions stand still, to go on whenever the scheduler picks them
 * @param percentSlowCommits how many commits are in the log for some time before they can be seen, and seen before they are acknowledged
 * @param percentLost how much of a feed's trouble loses something
 */
record ClusterProfile(
        int nodes,
        int boundMillis,
        int pace,
        int percentLatest,
        int names,
        int percentTaken,
        boolean folds,
        boolean displayForms,
        boolean scansRanges,
        boolean slowScans,
        int filterBits,
        int maxTold,
        int maxAnnounced,
        boolean clocksPause,
        int percentStandingStill,
        int percentSlowCommits,
        int failuresInThousand,
        int percentLost,
        int maxOpen) {

    static ClusterProfile draw(SplittableRandom random) {
        int bound = 20 + random.nextInt(random.nextBoolean() ? 60 : 2_000);
        return new ClusterProfile(
                2 + random.nextInt(4),
                bound,
                bound * 1_000_000 / (30 + random.nextInt(200)),
                random.nextInt(3) * 50,
                6 + random.nextInt(30),
                10 + random.nextInt(60),
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextInt(6) == 0 ? 20 : 3 + random.nextInt(5),
                random.nextInt(6) == 0 ? random.nextInt(8) : 10_000,
                random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 10_000,
                random.nextBoolean(),
                random.nextInt(3) * 30,
                random.nextInt(4) * 32,
                random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0,
                random.nextInt(3) * 35,
                2 + random.nextInt(8));
    }

    Duration bound() {
        return Duration.ofMillis(boundMillis);
    }

    FilterType filter() {
        return FilterType.CUCKOO;
    }

    Generation.Limits limits() {
        return new Generation.Limits(10_000, maxTold, 10_000);
    }

    /** What takes minutes elsewhere takes parts of a bound, for a world does not last for longer than some bounds. */
    RegistrySettings settings(GenerationFactory generations, LongSupplier clock, CheckListener told) {
        return new RegistrySettings(
                Duration.ofMinutes(1),
                new RegistrySettings.Announced(maxAnnounced, bound().multipliedBy(10)),
                new RegistrySettings.Births(
                        generations,
                        new RegistrySettings.Pace(Duration.ofHours(1), Duration.ofSeconds(10), bound().dividedBy(6)),
                        Duration.ofMinutes(1),
                        1),
                new RegistrySettings.Audits(Duration.ofHours(1), 0),
                new RegistrySettings.Time(bound().dividedBy(6), clock),
                told);
    }
}

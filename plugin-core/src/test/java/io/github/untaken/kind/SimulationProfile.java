package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.filter.FilterType;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What kind of world one seed has. Drawn anew for each, so that rare things are common in some.
 *
 * @param calm few swaps and nothing unseen, so that one generation lives through a lot
 * @param slowReads reads that stand still do so for long, over several swaps
 * @param slowScans a lot happens between two rows
 * @param watches whether rules that only guess announce names
 * @param names how many keys there are
 * @param filterBits how many bits of a hash the filter tells apart
 * @param headroom room of the filter for each hundred rows there are; below 100 it overflows at once
 */
record SimulationProfile(
        boolean calm,
        boolean slowReads,
        boolean slowScans,
        boolean watches,
        int names,
        int percentTaken,
        boolean folds,
        boolean displayForms,
        boolean scansRanges,
        boolean barrierProves,
        boolean untoldWrites,
        boolean lies,
        FilterType filter,
        int filterBits,
        int headroom,
        int maxOverflow,
        int maxTold,
        int maxAnnounced,
        int whitelistSize,
        Duration rescanInterval,
        int recheckThreads,
        int recheckQueue,
        int percentStandingStill,
        int failuresInThousand,
        int maxOpen,
        int events) {

    private static final Duration LINGER = Duration.ofSeconds(5);

    static SimulationProfile draw(SplittableRandom random, int events) {
        boolean calm = random.nextBoolean();
        boolean slowReads = random.nextInt(3) == 0;
        boolean crowded = random.nextInt(3) > 0;
        return new SimulationProfile(
                calm,
                slowReads,
                random.nextInt(3) == 0,
                random.nextBoolean(),
                crowded ? 20 + random.nextInt(40) : 60 + random.nextInt(SimulatedNames.MOST - 59),
                10 + random.nextInt(60),
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4) == 0,
                random.nextInt(4) > 0,
                filter(random.nextInt(16)),
                random.nextInt(8) == 0 ? 20 : 3 + random.nextInt(6),
                !calm && random.nextInt(3) == 0 ? 60 + random.nextInt(60) : 200,
                random.nextInt(2) == 0 ? 10 : 10_000,
                random.nextInt(6) == 0 ? random.nextInt(4) : 10_000,
                random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 10_000,
                random.nextInt(6) == 0 ? 0 : 10_000,
                !calm && random.nextInt(3) == 0 ? Duration.ofSeconds(20) : Duration.ofHours(1),
                1 + random.nextInt(4),
                random.nextInt(10) == 0 ? 2 : 100,
                slowReads ? 60 : random.nextInt(3) == 0 ? 0 : 10 + random.nextInt(40),
                !calm && random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0,
                2 + random.nextInt(8),
                events);
    }

    /** Mostly the default. */
    private static FilterType filter(int number) {
        FilterType[] types = FilterType.values();
        return types[number < types.length ? number : FilterType.CUCKOO.ordinal()];
    }

    long lingerNanos() {
        return LINGER.toNanos();
    }

    Generation.Limits limits() {
        return new Generation.Limits(whitelistSize, maxTold, maxOverflow);
    }

    RegistrySettings settings(
            GenerationFactory generations, java.util.function.LongSupplier clock, CheckListener told) {
        return new RegistrySettings(
                Duration.ofMinutes(1),
                new RegistrySettings.Announced(maxAnnounced, LINGER),
                new RegistrySettings.Births(
                        generations,
                        new RegistrySettings.Pace(
                                rescanInterval, Duration.ofSeconds(10), Duration.ofSeconds(calm ? 10 : 3)),
                        Duration.ofMinutes(1),
                        1),
                new RegistrySettings.Audits(Duration.ofHours(1), 0),
                new RegistrySettings.Time(Duration.ofSeconds(1), clock),
                told);
    }
}

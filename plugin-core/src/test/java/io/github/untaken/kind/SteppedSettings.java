package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Settings of a registry whose clock the test moves. */
final class SteppedSettings {
    static final Duration RECHECK_TIMEOUT = Duration.ofSeconds(20);
    static final RegistrySettings.Announced ANNOUNCED = new RegistrySettings.Announced(100_000, Duration.ofMinutes(10));

    private SteppedSettings() {}

    /** Without audits. */
    static RegistrySettings of(GenerationFactory generations, Duration rescan, LongSupplier nanoTime) {
        return new RegistrySettings(
                RECHECK_TIMEOUT,
                ANNOUNCED,
                births(generations, rescan),
                new RegistrySettings.Audits(Duration.ofDays(300), 0),
                time(nanoTime),
                new CheckListener() {});
    }

    static RegistrySettings.Births births(GenerationFactory generations, Duration rescan) {
        Duration second = Duration.ofSeconds(1);
        return new RegistrySettings.Births(
                generations, new RegistrySettings.Pace(rescan, second, Duration.ofMinutes(1)), second, 1);
    }

    static RegistrySettings.Time time(LongSupplier nanoTime) {
        return new RegistrySettings.Time(Duration.ofSeconds(1), nanoTime);
    }
}

package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The builder's settings that every registry needs. */
public record RegistrySettings(
        Duration recheckTimeout, Announced announced, Births births, Audits audits, Time time, CheckListener listener) {

    /**
     * Limits for work under way.
     *
     * @param most texts kept for later generations
     * @param linger how long work of unknown end may still store something
     */
    public record Announced(int most, Duration linger) {}

    /**
     * How generations are born.
     *
     * @param barrierTimeout how long each waits for transactions that were open when it began
     */
    public record Births(GenerationFactory generations, Pace pace, Duration barrierTimeout, int scanThreads) {}

    /**
     * How soon births follow one another.
     *
     * @param rescan how often the store is scanned without another reason
     * @param rebuild between two scans that no one waits for, in the long run
     * @param renewal how soon renewals may follow one another
     */
    public record Pace(Duration rescan, Duration rebuild, Duration renewal) {
        private static final Duration LEAST_MARGIN = Duration.ofMinutes(1);

        /**
         * How long ago the last complete scan may have begun for memory to answer: the rescan interval plus half of it,
         * or plus a minute if that is longer.
         */
        Duration mostAge() {
            Duration half = rescan.dividedBy(2);
            return rescan.plus(half.compareTo(LEAST_MARGIN) > 0 ? half : LEAST_MARGIN);
        }
    }

    /**
     * How memory is compared with the store.
     *
     * @param rows rows that each audit samples; 0 for no audits
     */
    public record Audits(Duration interval, int rows) {}

    /**
     * This process's own time.
     *
     * @param tick how often clocks and marks are looked at, and how soon a failed scan is first tried again
     */
    public record Time(Duration tick, LongSupplier nanoTime) {
        long now() {
            return nanoTime.getAsLong();
        }
    }

    /** How many ticks work of unknown end lingers. Ticks are this process's own time, so a pause ages nothing. */
    long lingerTicks() {
        return announced.linger().toNanos() / time.tick().toNanos() + 1;
    }
}

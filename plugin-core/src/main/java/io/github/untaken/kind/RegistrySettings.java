package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.memory.GenerationFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the builder was told and every registry needs to know.
 *
 * @param tick how often clocks and marks are looked at, and how soon a scan that failed is first tried again
 */
public record RegistrySettings(
        GenerationFactory generations,
        Duration recheckTimeout,
        Announced announced,
        Births births,
        Audits audits,
        Duration tick,
        LongSupplier nanoTime,
        CheckListener listener) {

    /**
     * What is known of work under way.
     *
     * @param most texts that are kept for the generations to come
     * @param linger how long something is still expected to be stored whose end nobody has seen
     */
    public record Announced(int most, Duration linger) {}

    /**
     * How generations are brought to the world.
     *
     * @param rescanInterval how often the store is scanned without another reason
     * @param rebuildInterval between two scans that nobody waits for, in the long run
     * @param renewalInterval how soon renewals may follow one another
     * @param barrierTimeout how long each waits for transactions that were open when it began
     */
    public record Births(
            Duration rescanInterval,
            Duration rebuildInterval,
            Duration renewalInterval,
            Duration barrierTimeout,
            int scanThreads) {
        private static final Duration LEAST_MARGIN = Duration.ofMinutes(1);

        /** How long ago the last complete scan may have begun for memory to answer: the rescan interval and half of it, or a minute. */
        Duration mostAge() {
            Duration half = rescanInterval.dividedBy(2);
            return rescanInterval.plus(half.compareTo(LEAST_MARGIN) > 0 ? half : LEAST_MARGIN);
        }
    }

    /**
     * How memory is compared with the store.
     *
     * @param rows that each audit samples; 0 for no audits
     */
    public record Audits(Duration interval, int rows) {}

    /** How many ticks something lingers of which nobody knows whether it is over: the process's own time, so one that is paused does not age it. */
    long lingerTicks() {
        return announced.linger().toNanos() / tick.toNanos() + 1;
    }
}

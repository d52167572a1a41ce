package io.github.untaken.kind;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Rechecks that found nothing, compared with the checks that the membership filter answered itself. Its error rate
 * alone makes about one in ten thousand. Many more mean that it holds many rows that are gone and were not reported one
 * by one, as after a bulk DELETE. Thread-safe, except that one thread at a time calls {@link #swept}.
 */
final class FalseAlarms {
    /** Fewer are not worth a scan. */
    private static final long FEW = 1_000;
    /** As a share of the free names asked for: a hundred times what any type of filter is built for. */
    private static final double OFTEN = 0.01;

    private final LongSupplier answered;
    private final LongAdder alarms = new LongAdder();
    private volatile long answeredBefore;
    private volatile long alarmsBefore;

    /** @param answered the checks answered by the filter since the start */
    FalseAlarms(LongSupplier answered) {
        this.answered = answered;
    }

    /**
     * The filter said maybe and the store has no such key, not even in a row that does not count: another scan would
     * find that one again.
     */
    void note() {
        alarms.increment();
    }

    /** Whether a generation without the rows that are gone would save many reads. */
    boolean areFrequent() {
        long now = alarms.sum() - alarmsBefore;
        return now >= FEW && now > OFTEN * (answered.getAsLong() - answeredBefore);
    }

    /** Another generation serves. */
    void swept() {
        answeredBefore = answered.getAsLong();
        alarmsBefore = alarms.sum();
    }
}

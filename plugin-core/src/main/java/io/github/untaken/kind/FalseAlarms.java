package io.github.untaken.kind;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Rechecks that found nothing, beside the checks that the membership filter answered by itself. By its error rate alone one comes
 * to some ten thousand; many more mean that it holds many rows that are gone, of which nobody told one by one, as after a bulk
 * DELETE. Thread-safe, except that one thread at a time calls {@link #swept}.
 */
final class FalseAlarms {
    /** Fewer are not worth a scan. */
    private static final long FEW = 1_000;
    /** Of the free names asked for: a hundred times what any member of the filter family is built for. */
    private static final double OFTEN = 0.01;

    private final LongSupplier answered;
    private final LongAdder alarms = new LongAdder();
    private volatile long answeredBefore;
    private volatile long alarmsBefore;

    /** @param answered the checks answered by the filter since the start */
    FalseAlarms(LongSupplier answered) {
        this.answered = answered;
    }

    /** The filter said maybe and the store has no such key, not even in a row that does not count: another scan would find that again. */
    void note() {
        alarms.increment();
    }

    /** Whether a generation without the rows that are gone would spare many reads. */
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

package io.github.untaken.kind;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what one registry did, and reports it to the listener. */
@SuppressWarnings("EnumOrdinal") // within this object only; runs for each check
final class KindCounters {
    private static final DecidedBy[] ALL = DecidedBy.values();

    private final IdentifierKind kind;
    private final CheckListener listener;
    private final LongAdder[] decided = new LongAdder[ALL.length]; // by ordinal
    private final LongAdder storeReads = new LongAdder();
    private final LongAdder failedReads = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder missesProved = new LongAdder();

    KindCounters(IdentifierKind kind, CheckListener listener) {
        this.kind = kind;
        this.listener = listener;
        Arrays.setAll(decided, i -> new LongAdder());
    }

    void checked(Verdict verdict) {
        DecidedBy by = verdict.decidedBy();
        decided[by.ordinal()].increment();
        listener.checked(kind, verdict.status(), by);
    }

    /** A check asks the store. */
    Object storeAsked() {
        return listener.storeAsked(kind);
    }

    void storeRead(StoreRead read) {
        storeReads.increment();
        if (!read.succeeded()) {
            failedReads.increment();
        }
        listener.storeRead(kind, read);
    }

    /** A check whose read found no room. */
    void refused() {
        refused.increment();
    }

    /** A check that gave up waiting for its read. */
    void timedOut() {
        timedOut.increment();
    }

    void missProved() {
        missesProved.increment();
        listener.missProved(kind);
    }

    KindStats.Answers answers() {
        return new KindStats.Answers(decisions(), refused.sum(), timedOut.sum());
    }

    private Map<DecidedBy, Long> decisions() {
        Map<DecidedBy, Long> sums = new EnumMap<>(DecidedBy.class);
        for (DecidedBy by : ALL) {
            sums.put(by, decided[by.ordinal()].sum());
        }
        return Collections.unmodifiableMap(sums);
    }

    long answeredByFilter() {
        return decided[DecidedBy.FILTER.ordinal()].sum();
    }

    /** @param waiting reads that wait for a thread now */
    KindStats.Reads reads(int waiting) {
        return new KindStats.Reads(storeReads.sum(), waiting, failedReads.sum());
    }

    long missesProved() {
        return missesProved.sum();
    }
}

package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one registry did, counted, and told to the listener. */
final class RegistryCounters {
    private final IdentifierKind kind;
    private final CheckListener listener;
    private final LongAdder[] decided = new LongAdder[DecidedBy.values().length]; // by ordinal
    private final LongAdder storeReads = new LongAdder();
    private final LongAdder missesProved = new LongAdder();

    RegistryCounters(IdentifierKind kind, CheckListener listener) {
        this.kind = kind;
        this.listener = listener;
        Arrays.setAll(decided, by -> new LongAdder());
    }

    void checked(Verdict verdict) {
        decided[verdict.decidedBy().ordinal()].increment();
        listener.checked(kind, verdict.status(), verdict.decidedBy());
    }

    void storeRead(long nanos, boolean succeeded) {
        storeReads.increment();
        listener.storeRead(kind, nanos, succeeded);
    }

    void missProved() {
        missesProved.increment();
        listener.missProved(kind);
    }

    long checks() {
        return Arrays.stream(decided).mapToLong(LongAdder::sum).sum();
    }

    Map<DecidedBy, Long> decided() {
        Map<DecidedBy, Long> sums = new EnumMap<>(DecidedBy.class);
        for (DecidedBy by : DecidedBy.values()) {
            sums.put(by, decided[by.ordinal()].sum());
        }
        return Collections.unmodifiableMap(sums);
    }

    long storeReads() {
        return storeReads.sum();
    }

    long missesProved() {
        return missesProved.sum();
    }
}

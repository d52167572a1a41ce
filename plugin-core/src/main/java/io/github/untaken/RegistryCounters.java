package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What one registry did, counted, and told to the listener. */
final class RegistryCounters {
    private final IdentifierKind kind;
    private final CheckListener listener;
    private final Map<DecidedBy, LongAdder> decided = new ConcurrentHashMap<>();
    private final LongAdder storeReads = new LongAdder();
    private final LongAdder missesProved = new LongAdder();

    RegistryCounters(IdentifierKind kind, CheckListener listener) {
        this.kind = kind;
        this.listener = listener;
    }

    void checked(Verdict verdict) {
        adder(verdict.decidedBy()).increment();
        listener.checked(kind, verdict.status(), verdict.decidedBy());
    }

    private LongAdder adder(DecidedBy by) {
        return decided.computeIfAbsent(by, b -> new LongAdder());
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
        return decided.values().stream().mapToLong(LongAdder::sum).sum();
    }

    Map<DecidedBy, Long> decided() {
        Map<DecidedBy, Long> sums = new EnumMap<>(DecidedBy.class);
        for (DecidedBy by : DecidedBy.values()) {
            sums.put(by, adder(by).sum());
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

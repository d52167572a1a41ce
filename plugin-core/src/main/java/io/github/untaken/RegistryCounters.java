package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What one registry did, counted, and told to the listener. */
final class RegistryCounters {
    private final IdentifierKind kind;
    private final CheckListener listener;
    private final Map<DecidedBy, LongAdder> decided = new EnumMap<>(DecidedBy.class);
    private final LongAdder storeReads = new LongAdder();
    private final LongAdder missesProved = new LongAdder();

    RegistryCounters(IdentifierKind kind, CheckListener listener) {
        this.kind = kind;
        this.listener = listener;
        for (DecidedBy by : DecidedBy.values()) {
            decided.put(by, new LongAdder()); // never changed again, so it may be read without a lock
        }
    }

    void checked(Verdict verdict) {
        decided(verdict.decidedBy()).increment();
        listener.checked(kind, verdict.status(), verdict.decidedBy());
    }

    private LongAdder decided(DecidedBy by) {
        return Objects.requireNonNull(decided.get(by));
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
        decided.forEach((by, adder) -> sums.put(by, adder.sum()));
        return Collections.unmodifiableMap(sums);
    }

    long answeredByFilter() {
        return decided(DecidedBy.FILTER).sum();
    }

    long storeReads() {
        return storeReads.sum();
    }

    long missesProved() {
        return missesProved.sum();
    }
}

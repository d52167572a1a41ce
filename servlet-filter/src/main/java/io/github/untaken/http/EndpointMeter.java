package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts what the endpoint does. Thread-safe, without locks. */
final class EndpointMeter implements EndpointListener {
    /** Microseconds; what exceeds the last comes from a store that hangs. */
    private static final int[] STEPS = {
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000
    };

    private record Told(IdentifierKind kind, Verdict.Status status) {}

    private final Map<Integer, LongAdder> responses = new ConcurrentHashMap<>();
    private final Map<Told, LongAdder> answers = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final LongAdder[] steps = new LongAdder[STEPS.length];
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private final LongAdder forwardedByStrangers = new LongAdder();
    private final LongSupplier faults;

    /** @param faults how many there have been so far */
    EndpointMeter(LongSupplier faults) {
        this.faults = faults;
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new LongAdder();
        }
    }

    @Override
    public void answered(IdentifierKind kind, Verdict.Status status) {
        count(answers, new Told(kind, status));
    }

    @Override
    public void refused(int status, String problem) {
        count(refusals, problem);
    }

    @Override
    public void responded(int status, long took) {
        nanos.add(took);
        longest.accumulate(took);
        for (int i = 0; i < steps.length; i++) {
            if (took <= STEPS[i] * 1_000L) {
                steps[i].increment();
                break;
            }
        }
        count(responses, status);
    }

    @Override
    public void forwardedByStranger(String header) {
        forwardedByStrangers.increment();
    }

    /** First tries without allocating: only the first of each is missing. */
    private static <K> void count(Map<K, LongAdder> counters, K key) {
        LongAdder counter = counters.get(key);
        if (counter == null) {
            counter = counters.computeIfAbsent(key, k -> new LongAdder());
        }
        counter.increment();
    }

    EndpointStats stats() {
        Map<IdentifierKind, Map<Verdict.Status, Long>> byKind = new HashMap<>();
        answers.forEach(
                (told, count) -> byKind.computeIfAbsent(told.kind(), kind -> new EnumMap<>(Verdict.Status.class))
                        .put(told.status(), count.sum()));
        byKind.replaceAll((kind, counts) -> Map.copyOf(counts));
        return new EndpointStats(
                sums(responses), byKind, sums(refusals), latency(), forwardedByStrangers.sum(), faults.getAsLong());
    }

    private EndpointStats.Latency latency() {
        List<EndpointStats.Step> soFar = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < steps.length; i++) {
            sum += steps[i].sum();
            soFar.add(new EndpointStats.Step(Duration.ofNanos(STEPS[i] * 1_000L), sum));
        }
        long all = sums(responses).values().stream().mapToLong(Long::longValue).sum();
        return new EndpointStats.Latency(all, Duration.ofNanos(nanos.sum()), Duration.ofNanos(longest.get()), soFar);
    }

    private static <K> Map<K, Long> sums(Map<K, LongAdder> counters) {
        Map<K, Long> sums = new HashMap<>();
        counters.forEach((key, count) -> sums.put(key, count.sum()));
        return sums;
    }
}

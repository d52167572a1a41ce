package io.github.untaken.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckerFixture;
import io.github.untaken.Seed;
import io.github.untaken.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Thousands of little worlds, each from one seed: the real registry under a virtual clock, beside an exact oracle.
 *
 * <p>{@code -Dsimulation.seeds} runs more or fewer of them, {@code -Dsimulation.events} longer ones, {@code -Dtest.seed} begins
 * with another. {@code -Dsimulation.seed=N} replays one and prints what happened.
 */
class SimulationTest {
    private static final int EVENTS = Integer.getInteger("simulation.events", 2_000);
    private static final long FIRST = Seed.of(SimulationTest.class, 1);
    private static final int THREADS = 2;

    private static final Logger LOG = Logger.getLogger("io.github.untaken");
    private static Level level;

    @BeforeAll
    static void silence() {
        level = LOG.getLevel();
        LOG.setLevel(Level.OFF); // each world changes its state some thirty times
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(level);
    }

    @Test
    void neverCallsACommittedNameAvailableInAnyOfTheseWorlds() {
        play(Integer.getInteger("simulation.seeds", 200));
    }

    @Test
    @Tag("ci")
    @Tag("nightly")
    void norInManyMore() {
        assertThat(play(Integer.getInteger("simulation.seeds", 5_000)).misses)
                .as("proved misses where a write was not told of, which are rare")
                .isPositive();
    }

    private static SimulationCounts play(int seeds) {
        long begin = System.nanoTime();
        AtomicLong next = new AtomicLong(FIRST);
        AtomicReference<SimulationResult> worst = new AtomicReference<>();
        SimulationCounts counts = new SimulationCounts();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int worker = 0; worker < THREADS; worker++) {
            workers.add(CheckerFixture.beside(() -> {
                try (Fibers fibers = new Fibers()) {
                    long seed;
                    while ((seed = next.getAndIncrement()) < FIRST + seeds && worst.get() == null) {
                        SimulationResult result = new Simulation(seed, EVENTS, fibers, false).run();
                        synchronized (counts) {
                            counts.add(result.counts());
                        }
                        if (result.violation() != null) {
                            worst.compareAndSet(null, result);
                        }
                    }
                }
                return true;
            }));
        }
        workers.forEach(CompletableFuture::join);
        System.out.printf(
                "seeds %d to %d, %d events each, %.1f s: %s%n",
                FIRST, next.get() - 1 - THREADS, EVENTS, (System.nanoTime() - begin) / 1e9, counts);

        assertThat(worst.get() == null ? "" : explain(worst.get())).isEmpty();
        assertThat(counts.decided)
                .as("each way to decide that the registry has")
                .satisfies(decided -> {
                    for (Verdict.DecidedBy by :
                            List.of(Verdict.DecidedBy.FILTER, Verdict.DecidedBy.WHITELIST, Verdict.DecidedBy.STORE)) {
                        assertThat(decided[by.ordinal()]).as(by.name()).isPositive();
                    }
                });
        assertThat(counts.swaps).isPositive();
        assertThat(counts.standing).isPositive();
        return counts;
    }

    private static String explain(SimulationResult bad) {
        return "seed " + bad.seed() + ": " + bad.violation()
                + ". Replay it with -Dtest=SimulationTest -Dsimulation.events=" + EVENTS + " -Dsimulation.seed="
                + bad.seed();
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = FIRST; seed < FIRST + 10; seed++) {
            SimulationResult once = replay(seed, EVENTS, false);
            SimulationResult again = replay(seed, EVENTS, true);
            assertThat(again.traceHash()).as("the trace of seed %d", seed).isEqualTo(once.traceHash());
            assertThat(again.trace()).isNotEmpty();
        }
    }

    /** Prints the seed that was asked for. */
    @Test
    @EnabledIfSystemProperty(named = "simulation.seed", matches = "-?\\d+", disabledReason = "none was asked for")
    void oneSeedCanBeLookedAt() {
        long seed = Long.getLong("simulation.seed", FIRST);
        SimulationResult result = replay(seed, EVENTS, true);
        result.trace().forEach(System.out::println);
        System.out.println(result.counts());
        if (result.counts().thrown != null) {
            result.counts().thrown.printStackTrace(System.out);
        }
        assertThat(result.violation()).as("seed %d", seed).isNull();
    }

    private static SimulationResult replay(long seed, int events, boolean readable) {
        try (Fibers fibers = new Fibers()) {
            return new Simulation(seed, events, fibers, readable).run();
        }
    }
}

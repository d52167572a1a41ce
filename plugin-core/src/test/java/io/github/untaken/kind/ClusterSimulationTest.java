package io.github.untaken.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Seed;
import io.github.untaken.Verdict;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Thousands of little worlds of two to five nodes, each from one seed: real registries that follow one database's log, beside an exact
 * oracle that knows the true time.
 *
 * <p>{@code -Dsimulation.cluster.seeds}, {@code -Dsimulation.seed} and {@code -Dtest.seed} as in {@link SimulationTest}.
 */
class ClusterSimulationTest {
    private static final int EVENTS = Integer.getInteger("simulation.cluster.events", 600);
    private static final long FIRST = Seed.of(ClusterSimulationTest.class, 1);

    private static final Logger LOG = Logger.getLogger("io.github.untaken");
    private static Level level;

    @BeforeAll
    static void silence() {
        level = LOG.getLevel();
        LOG.setLevel(Level.OFF); // each node changes its state many times
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(level);
    }

    @Test
    void noNodeCallsAvailableWhatItMustKnowInAnyOfTheseWorlds() {
        play(100);
    }

    @Test
    @Tag("ci")
    void norInManyMore() {
        play(Integer.getInteger("simulation.cluster.seeds", 3_000));
    }

    private static void play(int seeds) {
        long begin = System.nanoTime();
        SimulationCounts counts = new SimulationCounts();
        SimulationResult result = null;
        long seed = FIRST;
        try (Fibers fibers = new Fibers()) {
            while (seed < FIRST + seeds && (result == null || result.violation() == null)) {
                result = new ClusterSimulation(seed++, EVENTS, fibers, false).run();
                counts.add(result.counts());
            }
        }
        System.out.printf(
                "seeds %d to %d, %d events each, %.1f s: %s%n",
                FIRST, seed - 1, EVENTS, (System.nanoTime() - begin) / 1e9, counts);

        assertThat(result == null || result.violation() == null ? "" : explain(result))
                .isEmpty();
        assertThat(counts.standing).isPositive();
        assertThat(counts.resumptions).isPositive();
        assertThat(counts.renewals).isPositive();
        for (Verdict.DecidedBy by :
                new Verdict.DecidedBy[] {Verdict.DecidedBy.FILTER, Verdict.DecidedBy.WHITELIST, Verdict.DecidedBy.STORE
                }) {
            assertThat(counts.decidedBy(by)).as(by.name()).isPositive();
        }
    }

    private static String explain(SimulationResult bad) {
        return "seed " + bad.seed() + ": " + bad.violation()
                + ". Replay it with -Dtest=ClusterSimulationTest -Dsimulation.seed=" + bad.seed();
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = FIRST; seed < FIRST + 10; seed++) {
            SimulationResult once = replay(seed, false);
            SimulationResult again = replay(seed, true);
            assertThat(again.traceHash()).as("the trace of seed %d", seed).isEqualTo(once.traceHash());
            assertThat(again.trace()).isNotEmpty();
        }
    }

    /** Prints the seed that was asked for. */
    @Test
    @EnabledIfSystemProperty(named = "simulation.seed", matches = "-?\\d+", disabledReason = "none was asked for")
    void oneSeedCanBeLookedAt() {
        SimulationResult result = replay(Long.getLong("simulation.seed", FIRST), true);
        result.trace().forEach(System.out::println);
        System.out.println(result.counts());
        if (result.counts().thrown != null) {
            result.counts().thrown.printStackTrace(System.out);
        }
        assertThat(result.violation()).isNull();
    }

    private static SimulationResult replay(long seed, boolean readable) {
        try (Fibers fibers = new Fibers()) {
            return new ClusterSimulation(seed, EVENTS, fibers, readable).run();
        }
    }
}

package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes that go on from files, under load. Nodes and server are killed at any moment, also while a node reads its files, writes
 * them or scans. At greater length by {@code -Dnodes.length=5}.
 */
@Tag("nightly")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RestartFaultsTest {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final int NODES = 3;
    private static final int ROUNDS = 20 * Integer.getInteger("nodes.length", 1);

    @TempDir
    private Path folder;

    private int kills;
    private int serverKills;
    private int interrupted;
    private int fromFiles;
    private int byScan;

    @Test
    void whoeverIsKilledWheneverNothingCommittedIsCalledAvailable() throws Exception {
        long seed = Seeds.next(getClass());
        Random random = new Random(seed);
        try (Cluster cluster = Cluster.empty(folder, BOUND).keepingSnapshots().with(NODES);
                Load load = new Load(cluster, seed, false)) {
            load.start();
            load.goOn(100, 0);
            for (int round = 0; round < ROUNDS; round++) {
                load.goOn(1 + random.nextInt(100), random.nextInt(2_000));
                Set<Integer> killed = kill(cluster, load, random);
                for (int node : killed) {
                    restart(cluster, load, node, random);
                }
                if (random.nextInt(4) > 0) { // else the next is killed before these are back
                    awaitReady(cluster, killed);
                }
            }
            load.goOn(100, 0);
            Truth.holds(cluster, load);
        }
        System.out.printf(
                "%d kills of a node, %d of the server, %d of these nodes before they were ready; ready again from files %d times, by a scan %d times%n",
                kills, serverKills, interrupted, fromFiles, byScan);
        assertThat(fromFiles).isPositive();
        assertThat(byScan).isPositive();
        assertThat(serverKills).isPositive();
        assertThat(interrupted).isPositive();
    }

    /** One node, two, or all; sometimes the server, before or after them. While nodes are down, others write. */
    private Set<Integer> kill(Cluster cluster, Load load, Random random) {
        Set<Integer> killed = new TreeSet<>();
        boolean server = random.nextInt(5) == 0;
        if (server && random.nextBoolean()) {
            cluster.primary().kill();
        }
        for (int left = 1 + random.nextInt(NODES); left > 0; left--) {
            killed.add(random.nextInt(NODES));
        }
        killed.forEach(node -> kill(cluster, node));
        if (server) {
            if (cluster.primary().isRunning()) {
                cluster.primary().kill();
            }
            cluster.primary().start();
            serverKills++;
        }
        load.goOn(1 + random.nextInt(50), random.nextInt(500));
        return killed;
    }

    private void kill(Cluster cluster, int node) {
        cluster.node(node).kill();
        kills++;
    }

    private void restart(Cluster cluster, Load load, int node, Random random) {
        cluster.restart(node);
        while (random.nextInt(4) == 0) {
            load.goOn(0, random.nextInt(800));
            if (!cluster.node(node).isReady()) {
                interrupted++;
            }
            kill(cluster, node);
            cluster.restart(node);
        }
    }

    private void awaitReady(Cluster cluster, Set<Integer> nodes) throws IOException {
        for (int node : nodes) {
            Cluster.await(
                    "node " + node + " answers from memory",
                    () -> cluster.node(node).isReady());
            if (cluster.node(node).stats().scanMillis()
                    > cluster.node(node).age().toMillis()) {
                fromFiles++;
            } else {
                byScan++;
            }
        }
    }
}

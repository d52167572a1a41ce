package io.github.untaken.nodes;

import io.github.untaken.test.net.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node's ways to its database are slow, cut, dead without telling, or dead in one direction: the feed's and the pool's apart, and
 * both.
 */
class NetworkTest {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final int SOME = 50 * Integer.getInteger("nodes.length", 1);

    @TempDir
    private Path folder;

    @Test
    @Tag("nightly")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingCommittedIsCalledAvailableByANodeThatIsCutOff() throws Exception {
        try (Cluster cluster = Cluster.start(folder, BOUND, 2)) {
            Network pool = cluster.network();
            Network feed = cluster.network();
            NodeProcess far = cluster.add("far", pool, feed);
            cluster.awaitReady();
            try (Load load = new Load(cluster, Seeds.next(getClass()), true)) {
                load.start();
                load.goOn(SOME, 0);
                for (List<Network> broken : List.of(List.of(feed), List.of(pool), List.of(feed, pool))) {
                    broken.forEach(way -> way.delay(Duration.ofMillis(30)));
                    load.goOn(SOME, 2 * BOUND.toMillis());
                    broken.forEach(way -> way.delay(Duration.ZERO));
                    for (int i = 0; i < 5; i++) {
                        broken.forEach(Network::cut);
                        load.goOn(SOME / 5, 0);
                    }
                    broken.forEach(way -> way.dead(true));
                    if (broken.contains(feed)) {
                        Cluster.await("the node notices that it has no news", () -> !far.isReady());
                    }
                    load.goOn(SOME, 3 * BOUND.toMillis());
                    broken.forEach(way -> way.dead(false)); // what was on its way arrives
                    load.goOn(SOME, BOUND.toMillis());
                    broken.forEach(way -> way.dead(true));
                    load.goOn(SOME / 5, 0);
                    broken.forEach(Network::cut); // what was on its way is lost
                    broken.forEach(way -> way.dead(false));
                    load.goOn(SOME, BOUND.toMillis());
                    for (int lost = 1; lost < 4; lost++) { // there, back, both
                        boolean there = (lost & 1) != 0;
                        boolean back = (lost & 2) != 0;
                        broken.forEach(way -> way.forget(there, back));
                        load.goOn(SOME, 3 * BOUND.toMillis());
                        cluster.awaitReady();
                    }
                }
                Truth.holds(cluster, load);
            }
        }
    }
}

package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.net.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standby is promoted while the old primary still runs, and new connections lead to it. The old connections of a node stay with the
 * old primary, which answers them, for as long as they are kept: that long a node knows nothing of the new one.
 */
@Tag("nightly")
@DisabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "PostgreSQL knows it")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PromotionTest {
    private static final Duration BOUND = Duration.ofMillis(500);

    /** After so long the feed asks by a new connection, and finds another server. */
    private static final Duration AGE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void theNodesFollowTheNewPrimaryOnceTheirConnectionsEnd() throws Exception {
        promote(true);
    }

    @Test
    void andAlsoIfTheirConnectionsStayOpenAfterTheAgeOfOne() throws Exception {
        promote(false);
    }

    private void promote(boolean cut) throws Exception {
        try (Cluster cluster = Cluster.empty(folder, BOUND)) {
            DatabaseServer old = cluster.primary();
            old.stop();
            DatabaseServer standby =
                    cluster.owned(old.copy(folder.resolve("standby")).asStandbyOf(old));
            old.start();
            standby.start();
            Network pool = cluster.network();
            Network feed = cluster.network();
            NodeProcess first = cluster.add("node1", pool, feed);
            NodeProcess second = cluster.add("node2", pool, feed);
            cluster.awaitReady();
            try (Load load = new Load(cluster, Seeds.next(getClass()), false)) {
                load.run(30);
                Cluster.await(
                        "the standby has it all",
                        () -> standby.query("select count(*) from account")
                                .equals(old.query("select count(*) from account")));
                standby.query("select pg_promote()");
                pool.leadTo(standby.port());
                feed.leadTo(standby.port());
                cluster.promoted(standby);
                if (cut) {
                    pool.cut();
                    feed.cut();
                } else {
                    pool.cut(); // the application's own, which decide where it writes
                    long begun = System.nanoTime();
                    Cluster.await("the nodes find another server", () -> gaps(first) > 0 && gaps(second) > 0);
                    Duration took = Duration.ofNanos(System.nanoTime() - begun);
                    System.out.println("another server found after " + took.toMillis() + " ms");
                    assertThat(took).isLessThan(AGE.plus(BOUND.multipliedBy(2)));
                }
                load.run(50);
                Truth.holds(cluster, load);
            }
        }
    }

    private static long gaps(NodeProcess node) {
        try {
            return node.stats().gaps();
        } catch (IOException e) {
            return 0;
        }
    }
}

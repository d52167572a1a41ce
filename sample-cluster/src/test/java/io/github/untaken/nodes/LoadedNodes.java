package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Three nodes for all tests of a class, and for each test a load of its own, of which the table is the judge in the end. */
final class LoadedNodes implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    static final int NODES = 3;

    private final Duration bound;
    private final int some;
    private Path folder = Path.of("");
    private Cluster cluster;
    private Load load;

    /** @param some how often they commit before what happens, and after it */
    LoadedNodes(Duration bound, int some) {
        this.bound = bound;
        this.some = some;
    }

    Cluster cluster() {
        return cluster;
    }

    Load load() {
        return load;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("untaken-nodes");
        cluster = Cluster.start(folder, bound, NODES);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
        }
        DatabaseServer.delete(folder);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        cluster.awaitReady();
        load = new Load(cluster, Seeds.next(context.getRequiredTestClass()), false);
        load.start();
        load.goOn(some, 0);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        try {
            load.goOn(some, 0);
            Truth.holds(cluster, load);
        } finally {
            load.close();
        }
    }

    /** Of each node; 0 for one that does not say. */
    List<Long> gaps() {
        return cluster.nodes().stream().map(LoadedNodes::gaps).toList();
    }

    private static long gaps(NodeProcess node) {
        try {
            return node.stats().gaps();
        } catch (IOException e) {
            return 0;
        }
    }

    /** On each node one more than before. */
    void awaitGaps(List<Long> before) {
        Cluster.await("a gap on each node", () -> {
            List<Long> now = gaps();
            for (int node = 0; node < NODES; node++) {
                if (now.get(node) <= before.get(node)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** A question's own time, and the machine's, come on top. */
    void awaitGapsWithinTheBound(List<Long> before, long since) {
        awaitGaps(before);
        Duration took = Duration.ofNanos(System.nanoTime() - since);
        System.out.println("gap on every node after " + took.toMillis() + " ms");
        assertThat(took).isLessThan(bound.multipliedBy(2));
    }
}

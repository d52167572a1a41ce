package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, nothing broken. */
class SeveralNodesTest {
    private static final Duration BOUND = Duration.ofMillis(500);

    @TempDir
    private Path folder;

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aSignUpOnOneIsTakenOnTheOthers() throws Exception {
        try (Cluster cluster = Cluster.start(folder, BOUND, 3)) {
            for (int node = 0; node < 3; node++) {
                String name = "signup" + node;
                try (NodeClient client = new NodeClient(cluster.node(node).port(), Duration.ofSeconds(10))) {
                    assertThat(client.get("/check?username=" + name).body())
                            .isEqualTo("bounded=AVAILABLE/FILTER latest=AVAILABLE/FILTER");
                    assertThat(client.post("/signup", "username=" + name).body())
                            .isEqualTo("DONE");
                    assertThat(client.post("/signup", "username=" + name).body())
                            .isEqualTo("TAKEN");
                }
                for (int other = 0; other < 3; other++) {
                    try (NodeClient client = new NodeClient(cluster.node(other).port(), Duration.ofSeconds(10))) {
                        assertThat(client.get("/check?modes=latest,bounded&username=" + name)
                                        .body())
                                .isEqualTo("latest=TAKEN/STORE bounded=TAKEN/STORE");
                    }
                }
            }
        }
    }

    @Test
    @Tag("ci")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void nothingCommittedIsCalledAvailable() throws Exception {
        write(2_000);
    }

    @Test
    @Tag("nightly")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nothingCommittedIsCalledAvailableInManyCommits() throws Exception {
        write(16_000);
    }

    private void write(int commits) throws Exception {
        try (Cluster cluster = Cluster.start(folder, BOUND, 3);
                Load load = new Load(cluster, Seeds.next(getClass()), true)) {
            load.run(commits / 4);
            Truth.holds(cluster, load);
            assertThat(load.tally().commits()).isEqualTo(commits);
            assertThat(load.tally().freeFromMemory()).isGreaterThan(0.9);
            assertThat(cluster.nodes())
                    .allSatisfy(node -> assertThat(node.stats().gaps()).isZero());
        }
    }
}

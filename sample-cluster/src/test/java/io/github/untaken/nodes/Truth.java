package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** What must hold of a load, whatever has happened while it ran: the table itself is the judge. */
final class Truth {
    private Truth() {}

    /** Stops the load, waits until all nodes answer from memory, and compares every row with every node. */
    static void holds(Cluster cluster, Load load) throws IOException {
        load.stop();
        System.out.println(load.tally());
        assertThat(load.tally().faults()).isEmpty();
        assertThat(load.tally().falseAvailable()).isZero();
        cluster.awaitReady();
        List<String> rows = cluster.primary().query("select username from account");
        assertThat(load.held()).as("acknowledged").isSubsetOf(Set.copyOf(rows));
        everyNodeKnows(cluster, rows);
    }

    static void everyNodeKnows(Cluster cluster, List<String> rows) throws IOException {
        try (Asker asker = new Asker(cluster, new Tally(), Set.of())) {
            for (int node = 0; node < cluster.nodes().size(); node++) {
                assertThat(asker.countFree(node, rows))
                        .as("rows that node %s calls available, or does not know about", node)
                        .isZero();
            }
        }
    }
}

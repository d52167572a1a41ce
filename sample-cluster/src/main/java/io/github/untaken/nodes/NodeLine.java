package io.github.untaken.nodes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One thread's line to the node in one place of a cluster, whichever process that is by now. */
final class NodeLine implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Cluster cluster;
    private final int index;
    private @Nullable NodeClient client;
    private int port;

    NodeLine(Cluster cluster, int index) {
        this.cluster = cluster;
        this.index = index;
    }

    NodeClient client() {
        int now = cluster.node(index).port();
        NodeClient open = client;
        if (open == null || now != port) {
            close();
            open = new NodeClient(now, PATIENCE);
            client = open;
            port = now;
        }
        return open;
    }

    @Override
    public void close() {
        NodeClient open = client;
        client = null;
        if (open != null) {
            open.close();
        }
    }
}

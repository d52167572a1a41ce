package io.github.untaken.nodes;

import io.github.untaken.test.net.Network;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * A real database server and three nodes, each a process, on this machine: a sign-up on one shows taken on the others. Prints the
 * addresses, and one of a page that shows all nodes and has buttons to break them. {@code --database mariadb} or {@code mysql} takes another one than
 * PostgreSQL. With {@code --faults} it breaks them one after the other while it writes and asks, and
 * prints what it has counted; otherwise it runs until its process is ended.
 */
public final class SampleCluster {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final int NODES = 3;
    private static final List<String> DATABASES = List.of("postgresql", "mariadb", "mysql");

    private SampleCluster() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> given = new ArrayList<>(List.of(arguments));
        int database = given.indexOf("--database");
        if (database >= 0 && database + 1 < given.size() && DATABASES.contains(given.get(database + 1))) {
            System.setProperty("server", given.remove(database + 1)); // before anybody looks
            given.remove(database);
        }
        boolean faults = given.remove("--faults");
        if (!given.isEmpty()) {
            System.err.println(
                    "Options: --database " + String.join("|", DATABASES) + " is what the nodes share, else PostgreSQL;"
                            + " --faults breaks nodes, network and database one after the other, and ends");
            System.exit(2);
        }
        System.setProperty(
                "innodb.programs",
                Path.of(System.getProperty("java.io.tmpdir"), "untaken-servers").toString());
        Path folder = Files.createTempDirectory("untaken-nodes");
        Cluster cluster = Cluster.empty(folder, BOUND);
        // Ended by hand, all is ended in good order.
        Thread ending = new Thread(() -> {
            cluster.close();
            DatabaseServer.delete(folder);
        });
        Runtime.getRuntime().addShutdownHook(ending);
        Network pool = cluster.network();
        Network feed = cluster.network();
        cluster.with(NODES - 1);
        cluster.add("node" + NODES, pool, feed);
        cluster.awaitReady();
        ClusterPage page = new ClusterPage(cluster, !faults);
        System.out.println(Database.CHOSEN.title() + ": "
                + Database.CHOSEN.url(cluster.primary().port()));
        cluster.nodes().forEach(node -> System.out.println(node.options().name() + ": " + node.address()));
        System.out.println("All nodes: " + page.address());
        System.out.println("Ready: " + folder);
        if (!faults) {
            new CountDownLatch(1).await(); // until the process is ended
        }
        boolean kept = new FaultScript(cluster, pool, feed, System.out).play();
        page.close();
        System.exit(kept ? 0 : 1);
    }

    private static List<String> row(NodeProcess node) {
        try {
            NodeStats stats = node.stats();
            return List.of(
                    stats.mode(),
                    stats.leaseMillis() + " ms",
                    stats.boundMillis() + " ms",
                    stats.gaps() == 0 ? "0" : stats.gaps() + " (" + stats.gapsBy() + ')',
                    String.valueOf(stats.told()),
                    stats.reason());
        } catch (IOException | RuntimeException e) {
            return List.of("no answer");
        }
    }

    /** All nodes, for a console. */
    static void table(Cluster cluster, PrintStream out) {
        out.println("    node   answers by | age of its news | bound | gaps | told by the log | reason");
        for (NodeProcess node : cluster.nodes()) {
            List<String> cells = new ArrayList<>(row(node));
            out.printf(
                    Locale.ROOT,
                    "    %-6s %s%n",
                    node.options().name(),
                    String.join(" | ", cells).strip());
        }
    }
}

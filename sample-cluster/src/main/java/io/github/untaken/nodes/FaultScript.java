package io.github.untaken.nodes;

import io.github.untaken.test.net.Network;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Breaks nodes, network and database one after the other while all is written and asked, and prints what it has counted. */
final class FaultScript {
    private static final int COMMITS = 200;

    private final Cluster cluster;
    private final Network pool;
    private final Network feed;
    private final PrintStream out;
    private final Load load;

    /** @param pool the ways by which the last node reaches the database, as {@code feed} */
    FaultScript(Cluster cluster, Network pool, Network feed, PrintStream out) {
        this.cluster = cluster;
        this.pool = pool;
        this.feed = feed;
        this.out = out;
        this.load = new Load(cluster, 1, false);
    }

    /** Whether no committed name was called available where it must not be. */
    boolean play() throws IOException {
        Duration bound = cluster.bound();
        int last = cluster.nodes().size() - 1;
        load.start();
        play("nothing is broken", () -> {});
        play("the last node stands still for five bounds", () -> {
            load.leaveOut(last);
            cluster.node(last).pause();
            load.goOn(COMMITS, 5 * bound.toMillis());
            cluster.node(last).resume();
            load.askAgain(last);
        });
        play("the last node's network is slow", () -> {
            List.of(pool, feed).forEach(way -> way.delay(Duration.ofMillis(30)));
            load.goOn(COMMITS, bound.toMillis());
            List.of(pool, feed).forEach(way -> way.delay(Duration.ZERO));
        });
        play("it is cut five times", () -> {
            for (int i = 0; i < 5; i++) {
                pool.cut();
                feed.cut();
                load.goOn(COMMITS / 5, 0);
            }
        });
        play("it is dead for three bounds, and nobody is told", () -> {
            feed.dead(true);
            load.goOn(COMMITS, 3 * bound.toMillis());
            SampleCluster.table(cluster, out);
            feed.cut();
            feed.dead(false);
        });
        play("the first node is killed", () -> {
            cluster.node(0).kill();
            load.goOn(COMMITS, 0);
            cluster.restart(0);
        });
        play("the database is killed", () -> {
            cluster.primary().kill();
            SampleCluster.table(cluster, out);
            cluster.primary().start();
        });
        load.stop();
        cluster.awaitReady();
        List<String> rows = cluster.primary().query("select username from account");
        long free = 0;
        try (Asker asker = new Asker(cluster, new Tally(), Set.of())) {
            for (int node = 0; node <= last; node++) {
                free += asker.countFree(node, rows);
            }
        }
        out.println("In the end " + rows.size() + " rows on " + (last + 1) + " nodes: " + free
                + " called available or unknown");
        out.println(load.tally());
        load.tally().faults().forEach(out::println);
        load.close();
        return load.tally().falseAvailable() == 0 && free == 0;
    }

    private void play(String what, Runnable fault) {
        out.println("* " + what);
        fault.run();
        load.goOn(COMMITS, cluster.bound().toMillis());
        cluster.awaitReady();
        SampleCluster.table(cluster, out);
    }
}

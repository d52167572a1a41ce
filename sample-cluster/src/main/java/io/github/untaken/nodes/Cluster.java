package io.github.untaken.nodes;

import io.github.untaken.test.net.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A database and nodes on it, each a process. Closing it ends them all. Used by one thread, except for the list of nodes. */
final class Cluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final Duration bound;
    private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> others = new ArrayList<>();
    private boolean snapshots;
    private final DatabaseServer first;
    private volatile DatabaseServer primary;

    private Cluster(Path folder, Duration bound) {
        this.folder = folder;
        this.bound = bound;
        this.first = new DatabaseServer(folder.resolve("database"));
        this.primary = first;
    }

    /**
     * A server, and no node yet.
     *
     * @param folder for its files and the nodes' logs
     * @param bound of each node
     * @param sql that makes table and publication
     */
    static Cluster withoutNodes(Path folder, Duration bound, String... sql) {
        Cluster cluster = new Cluster(folder, bound);
        try {
            Files.createDirectories(folder);
            cluster.first.start();
            cluster.first.sql(sql);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** With an empty table, and no node yet. */
    static Cluster empty(Path folder, Duration bound) {
        return withoutNodes(folder, bound, Database.CHOSEN.setUp());
    }

    /** With an empty table, and nodes that answer from memory when this returns. */
    static Cluster start(Path folder, Duration bound, int count) {
        return empty(folder, bound).with(count);
    }

    /** Nodes that are started from now on keep what serves, each in a folder of its own. */
    Cluster keepingSnapshots() {
        snapshots = true;
        return this;
    }

    /** Starts so many nodes side by side, and returns when all answer from memory. */
    Cluster with(int count) {
        try {
            List<CompletableFuture<NodeProcess>> starting = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                NodeOptions options = options("node" + i);
                starting.add(CompletableFuture.supplyAsync(() -> launch(options)));
            }
            starting.forEach(each -> nodes.add(each.join()));
            awaitReady();
            return this;
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private NodeOptions options(String name) {
        NodeOptions options = new NodeOptions(name, primary.port(), primary.port(), bound);
        return snapshots ? options.withSnapshots(folder.resolve("kept-by-" + name)) : options;
    }

    private NodeProcess launch(NodeOptions options) {
        return NodeProcess.start(options, folder.resolve(options.name() + ".log"));
    }

    /** Starts one more, which may have the name of another. */
    NodeProcess add(String name) {
        return add(options(name));
    }

    /** One that reaches the database in its own ways. */
    NodeProcess add(String name, Network pool, Network feed) {
        return add(new NodeOptions(name, pool.port(), feed.port(), bound));
    }

    private NodeProcess add(NodeOptions options) {
        NodeProcess node = launch(options);
        nodes.add(node);
        return node;
    }

    /** Starts a node anew in the place of one that has gone. */
    NodeProcess restart(int index) {
        NodeProcess node = launch(nodes.get(index).options());
        nodes.set(index, node);
        return node;
    }

    /** Ends a node for good. */
    void remove(NodeProcess node) {
        nodes.remove(node);
        node.close();
    }

    /** Ended with this cluster. */
    <T extends AutoCloseable> T owned(T other) {
        others.add(other);
        return other;
    }

    Network network() {
        return owned(new Network(primary.port()));
    }

    Path folder() {
        return folder;
    }

    Duration bound() {
        return bound;
    }

    List<NodeProcess> nodes() {
        return nodes;
    }

    NodeProcess node(int index) {
        return nodes.get(index);
    }

    /** Where applications write. */
    DatabaseServer primary() {
        return primary;
    }

    void promoted(DatabaseServer standby) {
        primary = standby;
    }

    /** Returns once every node answers from memory. */
    void awaitReady() {
        try {
            await("every node answers from memory", () -> nodes.stream().allMatch(NodeProcess::isReady));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    e.getMessage() + ", but "
                            + nodes.stream().map(Cluster::said).collect(Collectors.joining("; ")),
                    e);
        }
    }

    private static String said(NodeProcess node) {
        try {
            return node.options().name() + ' ' + node.stats().line();
        } catch (IOException | RuntimeException e) {
            return node.options().name() + " says nothing";
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        List<CompletableFuture<Void>> ending = new ArrayList<>();
        for (NodeProcess node : nodes) {
            ending.add(CompletableFuture.runAsync(node::close));
        }
        ending.forEach(CompletableFuture::join);
        for (AutoCloseable other : others) {
            try {
                other.close();
            } catch (Exception e) {
                System.getLogger(Cluster.class.getName()).log(System.Logger.Level.WARNING, "Not ended", e);
            }
        }
        first.close();
    }
}

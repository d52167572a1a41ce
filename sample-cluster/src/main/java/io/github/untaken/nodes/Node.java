package io.github.untaken.nodes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.jpa.JpaIdentifiers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One node of a site: Hibernate writes, a checker answers, and a feed tells it what others commit. Its process prints one line with
 * its address, and ends when its standard input does, so that none outlives whoever has started it.
 */
public final class Node implements AutoCloseable {
    private static final int CONNECTIONS = 8;

    /** So often that a node that is killed may be writing one. */
    private static final Duration SNAPSHOTS = Duration.ofSeconds(1);

    private final HikariDataSource pool;
    private final Accounts accounts;
    private final AvailabilityChecker checker;
    private final NodeServer server;

    Node(NodeOptions options) throws IOException {
        this.pool = pool(options.databaseUrl());
        this.accounts = new Accounts(pool);
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(accounts.factory()))
                .feed(Database.CHOSEN.feed(options.feedUrl()))
                .bound(options.bound());
        if (!options.snapshots().isEmpty()) {
            builder.snapshots(Path.of(options.snapshots())).snapshotInterval(SNAPSHOTS);
        }
        this.checker = builder.build();
        this.server = new NodeServer(options.name(), checker, accounts);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("socketTimeout", Database.CHOSEN.millis(Database.CHOSEN.patience()));
        config.setPoolName("accounts");
        return new HikariDataSource(config);
    }

    public static void main(String[] arguments) throws IOException {
        try (Node node = new Node(NodeOptions.parse(List.of(arguments)))) {
            System.out.println(NodeProcess.READY + node.server.port());
            while (System.in.read() >= 0) {
                // nobody says anything; the end of the stream is the end of this node
            }
        }
        System.exit(0);
    }

    AvailabilityChecker checker() {
        return checker;
    }

    @Override
    public void close() {
        server.close();
        checker.close();
        accounts.close();
        pool.close();
    }
}

package io.github.untaken.test.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Real servers of PostgreSQL on loopback. */
public final class PostgreSql {
    private PostgreSql() {}

    /** The defaults acknowledge commits that a crash would lose. */
    public static EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_prepared_transactions", "10");
    }

    /** One that is stopped with the JVM. */
    public static EmbeddedPostgres started(EmbeddedPostgres.Builder settings) {
        try {
            EmbeddedPostgres server = settings.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    server.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

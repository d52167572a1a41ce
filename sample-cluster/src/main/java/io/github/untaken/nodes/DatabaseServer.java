package io.github.untaken.nodes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL in a folder of its own, on loopback, whose commits are on the disk when they are acknowledged. It can be stopped,
 * killed, started again, copied, and followed by a standby. Used by one thread.
 */
final class DatabaseServer implements AutoCloseable {
    static final String USER = "postgres";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PID_FILE = "postmaster.pid";
    private static final String LOCK_FILE = "epg-lock";

    private final Path folder;
    private final int port;
    private @Nullable EmbeddedPostgres running;

    DatabaseServer(Path folder) {
        this.folder = folder;
        this.port = freePort();
    }

    static String url(int port) {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Makes the database if there is none, and returns when it answers. */
    DatabaseServer start() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                Files.deleteIfExists(folder.resolve(LOCK_FILE)); // a start that failed leaves it locked
                running = EmbeddedPostgres.builder()
                        .setDataDirectory(folder)
                        .setCleanDataDirectory(false)
                        .setPort(port)
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("wal_level", "logical")
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("max_wal_senders", "20")
                        .setServerConfig("max_replication_slots", "20")
                        .setServerConfig("max_slot_wal_keep_size", "1GB")
                        .setErrorRedirector(log())
                        .setOutputRedirector(log())
                        .start();
                return this;
            } catch (IOException | RuntimeException e) {
                // The processes of one that was killed need a moment to notice that.
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("PostgreSQL does not start in " + folder, e);
                }
                LockSupport.parkNanos(200_000_000);
            }
        }
    }

    boolean isRunning() {
        return running != null;
    }

    private ProcessBuilder.Redirect log() {
        return ProcessBuilder.Redirect.appendTo(
                folder.resolveSibling(folder.getFileName() + ".log").toFile());
    }

    /** In good order, as an operator would. Returns when its process has gone. */
    void stop() {
        if (running != null) {
            Optional<ProcessHandle> process = process();
            forget();
            process.ifPresent(gone -> gone.onExit().join());
        }
    }

    private void forget() {
        EmbeddedPostgres stopped = running;
        running = null;
        if (stopped != null) {
            try {
                stopped.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** As {@code kill -9}. Returns when the process has gone. */
    void kill() {
        ProcessHandle process = process().orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        forget();
    }

    /** Empty if it has ended already, as when this process is ending. */
    private Optional<ProcessHandle> process() {
        try {
            Path file = folder.resolve(PID_FILE);
            return Files.exists(file)
                    ? ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(file).get(0).strip()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another server that has what this one has, which must be stopped. */
    DatabaseServer copy(Path to) {
        copyFiles(folder, to);
        return new DatabaseServer(to);
    }

    /** A server that follows that one, of which it is a copy. Not started yet. */
    DatabaseServer asStandbyOf(DatabaseServer primary) {
        try {
            Files.createFile(folder.resolve("standby.signal"));
            Files.writeString(
                    folder.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost port=" + primary.port + " user=" + USER + "'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Puts the files of an older copy in the place of its own; both must be stopped. */
    void restore(DatabaseServer copy) {
        delete(folder);
        copyFiles(copy.folder, folder);
    }

    private static void copyFiles(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(
                            target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                } else if (!name.equals(PID_FILE) && !name.equals(LOCK_FILE)) {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder and all there is in it. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As somebody at a console. */
    Connection console() throws SQLException {
        return DriverManager.getConnection(url(port), USER, "");
    }

    void sql(String... statements) {
        try (Connection connection = console();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of each row. */
    List<String> query(String sql) {
        try (Connection connection = console();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}

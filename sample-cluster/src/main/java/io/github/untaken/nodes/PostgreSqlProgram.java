package io.github.untaken.nodes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, whose commits are on the disk when they are acknowledged. */
final class PostgreSqlProgram implements ServerProgram {
    static final String PID_FILE = "postmaster.pid";
    static final String LOCK_FILE = "epg-lock";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final int port;
    private @Nullable EmbeddedPostgres running;

    PostgreSqlProgram(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    @Override
    public void start() {
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
                return;
            } catch (IOException | RuntimeException e) {
                // The processes of one that was killed need a moment to notice that.
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("PostgreSQL does not start in " + folder, e);
                }
                LockSupport.parkNanos(200_000_000);
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    private ProcessBuilder.Redirect log() {
        return ProcessBuilder.Redirect.appendTo(
                folder.resolveSibling(folder.getFileName() + ".log").toFile());
    }

    @Override
    public void stop() throws IOException {
        if (running != null) {
            Optional<ProcessHandle> process = process();
            forget();
            process.ifPresent(gone -> gone.onExit().join());
        }
    }

    private void forget() throws IOException {
        EmbeddedPostgres stopped = running;
        running = null;
        if (stopped != null) {
            stopped.close();
        }
    }

    @Override
    public void kill() throws IOException {
        ProcessHandle process = process().orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        forget();
    }

    /** Empty if it has ended already, as when this process is ending. */
    private Optional<ProcessHandle> process() throws IOException {
        Path file = folder.resolve(PID_FILE);
        return Files.exists(file)
                ? ProcessHandle.of(
                        Long.parseLong(Files.readAllLines(file).get(0).strip()))
                : Optional.empty();
    }
}

package io.github.untaken.nodes;

import io.github.untaken.test.database.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real server of the chosen database in a folder of its own, on loopback, whose commits are on the disk when they are acknowledged. It can be stopped,
 * killed, started again, copied, and followed by a standby. Used by one thread.
 */
final class DatabaseServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final ServerProgram program;

    DatabaseServer(Path folder) {
        this.folder = folder;
        this.port = freePort();
        this.program = Database.CHOSEN.program(folder, port);
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
        program.start();
        return this;
    }

    boolean isRunning() {
        return program.isRunning();
    }

    /** In good order, as an operator would. Returns when its process has gone. */
    void stop() {
        try {
            program.stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}. Returns when the process has gone. */
    void kill() {
        try {
            program.kill();
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
                    "primary_conninfo = 'host=localhost port=" + primary.port + " user=" + Database.CHOSEN.user()
                            + "'\n",
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
                } else if (!name.equals(PostgreSqlProgram.PID_FILE) && !name.equals(PostgreSqlProgram.LOCK_FILE)) {
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
    Connection console() {
        return at().connection();
    }

    private Console at() {
        return new Console(Database.CHOSEN.url(port));
    }

    void sql(String... statements) {
        at().sql(statements);
    }

    /** The first column of each row. */
    List<String> query(String sql) {
        return at().query(sql).lines().toList();
    }

    @Override
    public void close() {
        stop();
    }
}

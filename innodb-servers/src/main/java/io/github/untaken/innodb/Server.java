package io.github.untaken.innodb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real server on loopback. It has the users {@code untaken}, who may all, and {@code poor}, and can be killed and started again on the
 * same files and port. It ends with the JVM, and its files with it.
 */
public final class Server implements AutoCloseable {
    /** A busy machine needs long to start one. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** One for all tests of the JVM. Nothing here crashes the machine. */
    public static final Server RUNNING = new Server("--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0");

    private static final String USERS = """
            create user if not exists untaken@localhost identified by '';
            grant all on *.* to untaken@localhost with grant option;
            create user if not exists poor@localhost identified by '';
            create database if not exists names;
            grant all on names.* to poor@localhost;
            """;

    private final List<String> command = new ArrayList<>();
    private final Programs programs = Product.UNDER_TEST.programs();
    private final Path log;
    private final int port;
    private Process process;

    /** @param settings of its command */
    public Server(String... settings) {
        try {
            String name = Product.UNDER_TEST.name().toLowerCase(Locale.ROOT);
            Path folder = Files.createTempDirectory(
                    Files.createDirectories(Path.of("target", name).toAbsolutePath()), "data");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(folder)));
            Path users = Files.writeString(folder.resolve("users.sql"), USERS);
            Path data = folder.resolve("data");
            log = folder.resolveSibling(folder.getFileName() + ".log");
            port = freePort();
            programs.install(data);
            command.addAll(programs.command());
            command.addAll(List.of(
                    "--datadir=" + data,
                    "--init-file=" + users,
                    "--bind-address=127.0.0.1",
                    "--port=" + port,
                    "--socket=" + Path.of(System.getProperty("java.io.tmpdir"), "untaken" + port + ".sock"),
                    "--max-connections=300",
                    "--log-bin-trust-function-creators=ON",
                    // As a site would have it: some builds have latin1.
                    "--character-set-server=utf8mb4",
                    "--collation-server=" + Product.UNDER_TEST.collation()));
            command.addAll(Programs.asRoot());
            command.addAll(Arrays.asList(settings));
            process = launched();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        awaitAnswer();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process launched() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (!programs.libraries().isEmpty()) {
            builder.environment()
                    .put(
                            "LD_LIBRARY_PATH",
                            programs.libraries().stream().map(Path::toString).collect(Collectors.joining(":")));
        }
        return builder.start();
    }

    private void awaitAnswer() {
        long begun = System.nanoTime();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IllegalStateException(Product.UNDER_TEST + " does not answer; " + log + " says why");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private boolean answers() {
        try (Connection connection =
                DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/names?user=untaken")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** On loopback. */
    public int port() {
        return port;
    }

    /** As the kernel would, out of memory: nothing is written any more, no connection is closed by word. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(Product.UNDER_TEST + " does not die");
        }
    }

    /** Returns when it answers again. */
    public void start() throws IOException {
        process = launched();
        awaitAnswer();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void end(Path folder) {
        try {
            if (process != null) {
                kill();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (InterruptedException | IOException | RuntimeException e) {
            // The files stay where they are.
        }
    }
}

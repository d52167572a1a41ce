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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    private final Product product;
    private final Programs programs;
    private final Path folder;
    private final Path log;
    private final int port;
    private @Nullable Process process;

    /**
     * Of the product under test, in a folder of its own.
     *
     * @param settings of its command
     */
    public Server(String... settings) {
        this(Product.UNDER_TEST, newFolder(), freePort(), settings);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(folder)));
        try {
            start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Server(Product product, Path folder, int port, String... settings) {
        try {
            this.product = product;
            this.programs = product.programs();
            this.port = port;
            this.folder = folder;
            this.log = folder.resolveSibling(folder.getFileName() + ".log");
            Path users = Files.writeString(folder.resolve("users.sql"), USERS);
            Path data = folder.resolve("data");
            if (!Files.exists(data)) {
                programs.install(data);
            }
            command.addAll(programs.command());
            command.addAll(List.of(
                    "--datadir=" + data,
                    "--tmpdir=" + Programs.temporary(data),
                    "--init-file=" + users,
                    "--bind-address=127.0.0.1",
                    "--port=" + port,
                    "--socket=" + Path.of(System.getProperty("java.io.tmpdir"), "untaken" + port + ".sock"),
                    "--max-connections=300",
                    "--log-bin-trust-function-creators=ON",
                    // As a site would have it: some builds have latin1.
                    "--character-set-server=utf8mb4",
                    "--collation-server=" + product.collation()));
            command.addAll(Programs.asRoot());
            command.addAll(Arrays.asList(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** One on the files in that folder, which are made if there are none, and stay. Not started yet. */
    public static Server in(Path folder, Product product, int port, String... settings) {
        return new Server(product, folder, port, settings);
    }

    private static Path newFolder() {
        try {
            String name = Product.UNDER_TEST.name().toLowerCase(Locale.ROOT);
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target", name).toAbsolutePath()), "data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launched() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        programs.setLibraries(builder);
        return builder.start();
    }

    private void awaitAnswer() {
        long begun = System.nanoTime();
        while (!answers()) {
            if (!process().isAlive() || System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IllegalStateException(product + " does not answer; " + log + " says why");
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
        process().destroyForcibly();
        if (!process().waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(product + " does not die");
        }
    }

    /** In good order, as an operator would; returns when it has gone. */
    public void stop() throws InterruptedException {
        process().destroy();
        if (!process().waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(product + " does not stop; " + log + " says why");
        }
    }

    /** Returns when it answers again. */
    public void start() throws IOException {
        process = launched();
        awaitAnswer();
    }

    @Override
    public void close() {
        process().destroyForcibly();
    }

    private Process process() {
        return Objects.requireNonNull(process, "not started");
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

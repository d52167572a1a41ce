package io.github.untaken.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A {@link Node} in a process of its own. It ends with this process, whatever happens here. Thread-safe. */
final class NodeProcess implements AutoCloseable {
    static final String READY = "Ready: ";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int ENDING_SECONDS = 15;

    private final NodeOptions options;
    private final Process process;
    private final int port;

    private NodeProcess(NodeOptions options, Process process, int port) {
        this.options = options;
        this.process = process;
        this.port = port;
    }

    /**
     * Returns once it answers HTTP, whatever it knows by then.
     *
     * @param log where it writes what it has to say; added to
     */
    static NodeProcess start(NodeOptions options, Path log) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsun.net.httpserver.nodelay=true",
                "-Dsun.net.httpserver.idleInterval=3600",
                "-Dsun.net.httpserver.maxIdleConnections=1000",
                "-Dserver=" + Database.CHOSEN.name().toLowerCase(Locale.ROOT),
                "-cp",
                System.getProperty("java.class.path", ""),
                Node.class.getName()));
        command.addAll(options.arguments());
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            BufferedReader lines = process.inputReader(UTF_8);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READY)) {
                    return new NodeProcess(options, process, Integer.parseInt(line.substring(READY.length())));
                }
            }
            throw new IllegalStateException("node " + options.name() + " did not start; " + log + " says why");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    NodeOptions options() {
        return options;
    }

    int port() {
        return port;
    }

    String address() {
        return "http://localhost:" + port + "/";
    }

    /** Asks it over a connection of its own. */
    NodeStats stats() throws IOException {
        try (NodeClient client = new NodeClient(port, PATIENCE)) {
            return new NodeStats(client.get("/stats").body());
        }
    }

    /** Processor time it has used since its start. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Since its start; a little more than it has run. */
    Duration age() {
        return Duration.between(process.info().startInstant().orElseThrow(), Instant.now());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isReady() {
        try {
            return stats().ready();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** It stands still, and does not know that it does. */
    void pause() {
        signal("-STOP");
    }

    void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int result = new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (result != 0) {
                throw new IllegalStateException("kill " + signal + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@code kill -9}. Returns when it has gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** In good order; by force if that takes long. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                resume();
            }
            process.getOutputStream().close();
            if (process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException | RuntimeException e) {
            // it has gone already
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill();
    }
}

package outside;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own, which the property {@code server.command} describes, a line for each argument. */
final class Server implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;
    private final Path log;
    private final Process process;

    private Server(int port, Path log, Process process) {
        this.port = port;
        this.log = log;
        this.process = process;
    }

    static Server start(boolean oneWriter) throws Exception {
        int port = freePort();
        Path log = Path.of(System.getProperty("server.log") + (oneWriter ? "" : "-without-word") + ".log");
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.add("-Dsite.one-writer=" + oneWriter);
        System.getProperty("server.command")
                .replace("PORT", Integer.toString(port))
                .replace("ANOTHER", Integer.toString(freePort()))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .forEach(command::add);
        Process process = new ProcessBuilder(command)
                .directory(new File(System.getProperty("server.directory")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Server server = new Server(port, log, process);
        try {
            server.awaitReady();
        } catch (Throwable e) {
            process.destroyForcibly();
            throw e;
        }
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws Exception {
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (process.waitFor(200, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                fail((process.isAlive() ? "no answer in " + START : "ended with " + process.exitValue()) + ", see " + log);
            }
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return send("GET", "/availability?username=nobody").statusCode() == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        }
    }

    HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/site" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** By its process id, and no harder than an operator would. */
    @Override
    public void close() throws Exception {
        process.destroy();
        boolean ended = process.waitFor(1, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        assertTrue(ended, "it was asked to end a minute ago");
    }
}

package io.github.untaken.benchmarks.shared;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/** A Redis on loopback, with the settings it has by default: it writes its file every minute if that much has changed. */
final class RedisServer implements Closeable {
    private final Path folder;
    private final String program;
    private final int port;
    private Process process;

    RedisServer() throws IOException, InterruptedException {
        folder = Files.createTempDirectory("redis");
        program = ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        process = started();
    }

    int port() {
        return port;
    }

    private Process started() throws IOException, InterruptedException {
        Process begun = new ProcessBuilder(
                        program, "--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        for (int i = 0; i < 600; i++) {
            try (Socket asked = new Socket(InetAddress.getLoopbackAddress(), port)) {
                asked.setSoTimeout(1_000);
                asked.getOutputStream().write("PING\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                if (asked.getInputStream().read() == '+') {
                    return begun;
                }
            } catch (IOException e) {
                // not yet
            }
            if (begun.waitFor(50, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException("Redis could not be started: " + Files.readString(folder.resolve("log")));
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void start() throws IOException, InterruptedException {
        process = started();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        for (String file : List.of("dump.rdb", "log")) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }
}

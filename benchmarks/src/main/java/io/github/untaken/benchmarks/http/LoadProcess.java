package io.github.untaken.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@link LoadGenerator} running in a JVM of its own. */
final class LoadProcess implements AutoCloseable {
    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    LoadProcess(int port, int connections, int rows) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LoadGenerator.class.getName(),
                        Integer.toString(port),
                        Integer.toString(connections),
                        Integer.toString(rows))
                .redirectError(Redirect.INHERIT)
                .start();
        commands = process.outputWriter(StandardCharsets.US_ASCII);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Blocks until it has asked that long. */
    LoadFigures ask(Subject subject, long millis) throws IOException {
        commands.write(subject.path() + (subject.taken() ? " taken " : " free ") + millis + "\n");
        commands.flush();
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the load generator ended while it asked " + subject.name() + "; it says why above");
        }
        return LoadFigures.parse(line);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

package io.github.untaken.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs one measurement in a JVM of its own, and waits for its figures: nothing else has taught its compiler anything. */
public final class OwnJvm {
    private OwnJvm() {}

    /** It ended with an error; the message is what it said. */
    public static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    /**
     * Blocks until the JVM ends.
     *
     * @param java the program that starts it
     * @param options of the JVM
     * @param main its class, which writes a line for each figure into the file that is its last argument
     * @param arguments the other arguments
     * @return the figures, with the machine's load before it started
     */
    public static List<Figure> run(Path java, List<String> options, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException, Failed {
        Path file = Files.createTempFile("figures", ".jsonl");
        Path log = Files.createTempFile("subject", ".log");
        try {
            double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
            List<String> command = Stream.of(
                            List.of(java.toString()),
                            options,
                            List.of(
                                    "-cp",
                                    System.getProperty(
                                            "surefire.test.class.path", System.getProperty("java.class.path")),
                                    main.getName()),
                            arguments,
                            List.of(file.toString()))
                    .flatMap(List::stream)
                    .toList();
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            int exit;
            try {
                exit = process.waitFor();
            } finally {
                process.destroy(); // nothing to do unless we were interrupted
            }
            if (exit != 0) {
                throw new Failed(Files.readString(log) + "it ended with " + exit);
            }
            List<Figure> figures = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                figures.add(Figure.parse(line).with("load", load));
            }
            return figures;
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(log);
        }
    }
}

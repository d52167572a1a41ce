package io.github.untaken.build;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The sources in a directory of their own, to be altered and built there. Not for several threads. */
final class CopiedTree {
    /** How a build ended and what it said. */
    record Outcome(boolean succeeded, String output) {}

    private static final Set<String> LEFT_OUT = Set.of(".git", "target", "sample-data", "docs");
    private static final long PATIENCE_MINUTES = 5;

    private final Path root;
    /** Texts as they were before they were altered; empty for a file that was not there. */
    private final Map<Path, Optional<String>> before = new HashMap<>();

    private CopiedTree(Path root) {
        this.root = root;
    }

    static CopiedTree of(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (!directory.equals(from)
                        && LEFT_OUT.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
        return new CopiedTree(to);
    }

    void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        before.putIfAbsent(file, Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty());
        Files.writeString(file, text);
    }

    /** Replaces the first place where the text stands. */
    void replace(String name, String text, String with) throws IOException {
        String old = Files.readString(root.resolve(name));
        int place = old.indexOf(text);
        if (place < 0) {
            throw new IllegalArgumentException(name + " does not say " + text);
        }
        write(name, old.substring(0, place) + with + old.substring(place + text.length()));
    }

    void restore() throws IOException {
        for (Map.Entry<Path, Optional<String>> each : before.entrySet()) {
            if (each.getValue().isPresent()) {
                Files.writeString(each.getKey(), each.getValue().get());
            } else {
                Files.delete(each.getKey());
            }
        }
        before.clear();
    }

    /** Builds one module that needs no other, with the Maven, the repository and the JDK of the build that runs this test. */
    Outcome maven(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-q",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "-pl",
                "membership-filters"));
        command.addAll(List.of(arguments));
        Path output = root.resolve("maven.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("build.java.home"));
        Process process = builder.start();
        try {
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("no end after " + PATIENCE_MINUTES + " minutes: " + command);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue() == 0, Files.readString(output, UTF_8));
    }
}

package io.github.untaken.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The database servers that outlive the JVM of a test. PostgreSQL's own starter detaches them, so that they are no
 * descendants of it; but each keeps, in its data directory, a file that says what process it is.
 */
final class LeftServers {
    private static final String PID_FILE = "postmaster.pid";
    private static final long PATIENCE_SECONDS = 10;

    private LeftServers() {}

    /** Ends each whose data directory is below this one, and returns when they have gone. */
    static void end(Path directory) {
        for (Path file : pidFiles(directory)) {
            processOf(file).ifPresent(LeftServers::end);
        }
    }

    private static List<Path> pidFiles(Path directory) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.endsWith(PID_FILE)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                /** Servers that run remove files of theirs meanwhile. */
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** The first line is its number; a server that ends meanwhile deletes the file. */
    private static Optional<ProcessHandle> processOf(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst().map(String::strip).map(Long::valueOf).flatMap(ProcessHandle::of);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static void end(ProcessHandle server) {
        server.destroy();
        if (!ends(server)) {
            server.destroyForcibly();
            ends(server);
        }
    }

    private static boolean ends(ProcessHandle server) {
        try {
            server.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}

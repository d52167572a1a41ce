package io.github.untaken.innodb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Of a server, unpacked. */
interface Programs {
    /** Makes the files of a server that has no tables yet, in a folder of their own. */
    void install(Path data) throws IOException, InterruptedException;

    /** What starts a server on such files. Whoever starts it adds what concerns this one: files, port, settings. */
    List<String> command();

    /** Where its libraries are; nowhere if the command says so itself. */
    List<Path> libraries();

    /** Runs what makes the files, to its end. */
    default void install(Path data, List<String> command) throws IOException, InterruptedException {
        Path log = data.resolveSibling(data.getFileName() + "-install.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("TMPDIR", temporary(data).toString());
        setLibraries(builder);
        Process process = builder.start();
        boolean ended = process.waitFor(3, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException("no files could be made; " + log + " says why");
        }
    }

    /** For a process of the server. */
    default void setLibraries(ProcessBuilder builder) {
        if (!libraries().isEmpty()) {
            builder.environment()
                    .put(
                            "LD_LIBRARY_PATH",
                            libraries().stream().map(Path::toString).collect(Collectors.joining(":")));
        }
    }

    /** Each needs one of its own: a server that starts deletes the temporary tables of others there, and MariaDB crashes then. */
    static Path temporary(Path data) throws IOException {
        return Files.createDirectories(data.resolveSibling("tmp"));
    }

    /** Otherwise it refuses to run as root. */
    static List<String> asRoot() {
        return System.getProperty("user.name").equals("root") ? List.of("--user=root") : List.of();
    }
}

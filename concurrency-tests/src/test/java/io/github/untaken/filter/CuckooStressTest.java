package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link CuckooStress} by jcstress in JVMs of its own, under several compilers; {@code -Djcstress=default} for longer. */
@Tag("nightly")
class CuckooStressTest {
    /** sanity, quick, default, tough. */
    private static final String MODE = System.getProperty("jcstress", "quick");

    private static final long PATIENCE_MINUTES = MODE.equals("sanity") || MODE.equals("quick") ? 20 : 600;

    @Test
    void noReaderMissesAnEntryOnThisMachinesMemory(@TempDir Path results) throws IOException, InterruptedException {
        Path output = results.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        existing(System.getProperty("java.class.path")),
                        "org.openjdk.jcstress.Main",
                        "-m",
                        MODE,
                        "-sc", // one compiler for both threads at a time, or there would be four times as many runs
                        "false",
                        "-t",
                        CuckooStress.class.getName(),
                        "-r",
                        results.toString())
                .directory(results.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        System.out.println(said);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains("All remaining tests: 4 matching test results");
    }

    /** Without the directories that Maven names and nobody made; jcstress fails on those. */
    private static String existing(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> Files.exists(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }
}

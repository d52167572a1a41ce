package io.github.untaken.sample.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIoTest {
    @TempDir
    private Path directory;

    @Test
    void readsTheThreeFiguresThatCount() throws Exception {
        Path file = Files.writeString(
                directory.resolve("io"),
                "rchar: 10\nwchar: 20\nsyscr: 30\nsyscw: 40\nread_bytes: 50\nwrite_bytes: 60\ncancelled_write_bytes: 0\n");
        assertThat(ProcessIo.in(file)).contains(new ProcessIo(30, 10, 50));
    }

    @Test
    void isEmptyWhereNothingIsTold() throws Exception {
        assertThat(ProcessIo.in(directory.resolve("absent"))).isEmpty();
        assertThat(ProcessIo.in(Files.writeString(directory.resolve("io"), "something else\n")))
                .isEmpty();
        assertThat(ProcessIo.in(Files.writeString(directory.resolve("io"), "rchar: many\n")))
                .isEmpty();
    }

    @Test
    void countsWhatThisProcessReads() throws Exception {
        assumeThat(ProcessIo.now()).as("not a Linux").isPresent();
        Path file = Files.write(directory.resolve("file"), new byte[1 << 20]);
        ProcessIo before = ProcessIo.now().orElseThrow();
        assertThat(Files.readAllBytes(file)).hasSize(1 << 20);
        ProcessIo made = ProcessIo.now().orElseThrow().minus(before);
        assertThat(made.bytesRead()).isGreaterThanOrEqualTo(1 << 20);
        assertThat(made.readCalls()).isPositive();
    }
}

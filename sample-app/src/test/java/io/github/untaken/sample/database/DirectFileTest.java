package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectFileTest {
    private static final int LENGTH = 100_001; // ends within a block

    @TempDir
    private Path directory;

    private final byte[] content = new byte[LENGTH];
    private Path file = Path.of("");

    @BeforeEach
    void write() throws Exception {
        new SplittableRandom(1).nextBytes(content);
        file = Files.write(directory.resolve("file"), content);
        assumeThat(DirectFile.obstacle(file)).as("no direct reads here").isEmpty();
    }

    @Test
    void readsWhatIsThereAtEveryPositionAndLength() throws Exception {
        SplittableRandom random = new SplittableRandom(2);
        try (DirectFile direct = DirectFile.open(file)) {
            for (int i = 0; i < 500; i++) {
                int position = random.nextInt(LENGTH);
                int wanted = random.nextInt(1, 20_000);
                ByteBuffer target = i % 2 == 0 ? ByteBuffer.allocate(wanted) : ByteBuffer.allocateDirect(wanted);
                int there = Math.min(wanted, LENGTH - position);
                assertThat(direct.read(target, position)).isEqualTo(there);
                byte[] read = new byte[there];
                target.flip().get(read);
                assertThat(read).isEqualTo(Arrays.copyOfRange(content, position, position + there));
            }
            assertThat(direct.read(ByteBuffer.allocate(1), LENGTH)).isEqualTo(-1);
            assertThat(direct.read(ByteBuffer.allocate(1), LENGTH + 1_000_000L)).isEqualTo(-1);
            assertThat(direct.read(ByteBuffer.allocate(0), 5)).isZero();
        }
    }

    @Test
    void seesWhatAnotherChannelHasJustWritten() throws Exception {
        try (DirectFile direct = DirectFile.open(file);
                FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (byte value = 0; value < 100; value++) {
                other.write(ByteBuffer.wrap(new byte[] {value}), 5_000);
                ByteBuffer target = ByteBuffer.allocate(1);
                assertThat(direct.read(target, 5_000)).isOne();
                assertThat(target.get(0)).isEqualTo(value);
            }
        }
    }

    @Test
    void canBeReopenedAfterAnInterruptClosedIt() throws Exception {
        try (DirectFile direct = DirectFile.open(file)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> direct.read(ByteBuffer.allocate(1), 0))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            direct.reopen();
            assertThat(direct.read(ByteBuffer.allocate(1), 0)).isOne();
        }
    }

    @Test
    void saysWhyAFileCannotBeReadSo() {
        assertThat(DirectFile.obstacle(directory.resolve("absent"))).isPresent();
    }
}

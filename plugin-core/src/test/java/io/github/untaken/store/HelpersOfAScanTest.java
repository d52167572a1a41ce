package io.github.untaken.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HelpersOfAScanTest {

    @Test
    void noneReadsOnWhereAnotherCouldNotBeMade() {
        CountDownLatch noMore = new CountDownLatch(1);
        List<Thread> made = new ArrayList<>();
        Partition endless = values -> {
            try {
                noMore.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Stream.generate(() -> "alice").forEach(values);
        };
        assertThatThrownBy(() -> PartitionedScan.run(List.of(endless, endless, endless), 3, row -> {}, work -> {
                    if (!made.isEmpty()) {
                        noMore.countDown();
                        throw new OutOfMemoryError("told to fail");
                    }
                    made.add(new Thread(work));
                    return made.get(0);
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(made).noneMatch(Thread::isAlive);
    }
}

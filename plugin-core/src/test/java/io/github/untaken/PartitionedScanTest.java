package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.PartitionedScan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionedScanTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private static Partition range(int from, int to) {
        return values -> IntStream.range(from, to).mapToObj(i -> "name" + i).forEach(values);
    }

    @Test
    void handsOverEveryRowOfEveryPartitionOnce() {
        List<Partition> partitions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            partitions.add(range(i * 1_000, (i + 1) * 1_000));
        }
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

        PartitionedScan.run(KIND, partitions, 4, seen::add);

        assertThat(seen).hasSize(20_000).doesNotHaveDuplicates();
    }

    @Test
    void scansAsManyPartitionsAtATimeAsItHasThreads() {
        CountDownLatch together = new CountDownLatch(3);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Partition meeting = values -> {
            threads.add(Thread.currentThread());
            together.countDown();
            try {
                if (!together.await(20, TimeUnit.SECONDS)) {
                    throw new AssertionError("the others never came");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };

        PartitionedScan.run(KIND, List.of(meeting, meeting, meeting), 3, value -> {});

        assertThat(threads).hasSize(3).contains(Thread.currentThread());
    }

    @Test
    void anEmptyListOfPartitionsIsAnEmptyScan() {
        PartitionedScan.run(KIND, List.of(), 2, value -> {
            throw new AssertionError();
        });
    }

    @Test
    void theFirstFailureEndsAllPartsAndIsTheFailureOfTheScan() {
        Gate failed = new Gate();
        Partition failing = values -> {
            failed.awaitArrival();
            throw new StoreException("no more rows");
        };
        Partition endless = values -> {
            values.accept("first");
            failed.pass(); // until the test opens it, after the failure
            for (int i = 0; ; i++) {
                values.accept("name" + i);
            }
        };
        Consumer<String> row = value -> {};
        Thread opener = new Thread(failed::open);

        assertThatThrownBy(() -> {
                    opener.start();
                    PartitionedScan.run(KIND, List.of(failing, endless), 2, row);
                })
                .isInstanceOf(StoreException.class)
                .hasMessage("no more rows");
    }

    @Test
    void aPartitionedStoreIsScannedByTheCheckersThreads() {
        class Ranges extends RowsStore implements RegisteredIdentifierStore.Partitioned {
            final Set<String> threads = ConcurrentHashMap.newKeySet();
            final CountDownLatch together = new CountDownLatch(2);

            @Override
            public void scan(Consumer<String> values) {
                throw new AssertionError("asked for the whole although it comes in parts");
            }

            @Override
            public List<Partition> partitions(int wanted) {
                assertThat(wanted).isEqualTo(8);
                List<Partition> parts = new ArrayList<>();
                for (int part = 0; part < 8; part++) {
                    int mine = part;
                    parts.add(values -> {
                        threads.add(Thread.currentThread().getName());
                        together.countDown();
                        try {
                            together.await(20, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                        rows.stream()
                                .filter(row -> Math.floorMod(row.hashCode(), 8) == mine)
                                .forEach(values);
                    });
                }
                return parts;
            }
        }
        Ranges store = new Ranges();
        for (int i = 0; i < 10_000; i++) {
            store.rows.add("name" + i);
        }
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, store)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            CheckerFixture.eventually(() -> checker.state(KIND) == KindState.READY);

            assertThat(checker.stats(KIND).entries()).isBetween(9_980L, 10_000L);
            assertThat(store.threads).hasSize(2);
            for (String row : store.rows) {
                assertThat(checker.check(KIND, row).status()).isEqualTo(Verdict.Status.TAKEN);
            }
        }
    }
}

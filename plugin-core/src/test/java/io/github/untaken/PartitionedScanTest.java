package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.PartitionedScan;
import io.github.untaken.store.Stores;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** As a bridge to another language, or a store that logs what it thinks are its own failures. */
    private static Consumer<String> swallowing(Consumer<String> values) {
        return value -> {
            try {
                values.accept(value);
            } catch (RuntimeException e) {
                // nobody hears of it
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRowThatWasRefusedFailsTheScanAlsoOfAStoreThatSwallowsThat(int threads) {
        List<Partition> parts = List.of(
                values -> range(0, 1_000).scan(swallowing(values)),
                values -> range(1_000, 2_000).scan(swallowing(values)));
        List<String> refused = new CopyOnWriteArrayList<>();

        assertThatThrownBy(() -> PartitionedScan.run(KIND, parts, threads, value -> {
                    if (value.equals("name7") || value.equals("name1007")) {
                        refused.add(value);
                        throw new IllegalStateException("refused");
                    }
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("refused");
        assertThat(refused).isNotEmpty();
    }

    /** Written in a language that does not know of checked exceptions. */
    @Test
    void aPartThatEndsWithACheckedExceptionFailsTheScan() {
        CountDownLatch both = new CountDownLatch(2);
        Partition failing = values -> {
            both.countDown();
            PartitionedScanTest.<RuntimeException>sneak(new IOException("no more rows"));
        };
        Partition waiting = values -> {
            both.countDown();
            try {
                both.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        for (List<Partition> parts : List.of(List.of(failing, waiting), List.of(waiting, failing))) {
            assertThatThrownBy(() -> PartitionedScan.run(KIND, parts, 2, value -> {}))
                    .hasRootCauseMessage("no more rows");
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void memoryDoesNotAnswerAfterAScanThatSwallowedARowWithoutAKey() {
        RowsStore store = new RowsStore() {
            @Override
            public void scan(Consumer<String> values) {
                super.scan(swallowing(values));
            }
        };
        store.rows.addAll(List.of("alice", "bob", "carol"));
        AtomicInteger asked = new AtomicInteger();
        IdentifierNormalizer failing = new IdentifierNormalizer() {
            @Override
            public String key(String value) {
                if (value.equals("bob") && asked.incrementAndGet() == 1) {
                    throw new IllegalStateException("told by the test");
                }
                return value;
            }

            @Override
            public Optional<String> rejection(String text, String key) {
                return Optional.empty();
            }
        };
        BlockingQueue<KindState> states = new LinkedBlockingQueue<>();
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(CheckerFixture.KIND, store)
                .normalizer(CheckerFixture.KIND, failing)
                .recheckTimeout(Duration.ofSeconds(20))
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        states.add(state);
                    }
                })
                .build()) {
            CheckerFixture.eventually(() -> !states.isEmpty());
            assertThat(checker.check(CheckerFixture.KIND, "bob").status()).isEqualTo(Verdict.Status.TAKEN);
        }
    }

    /** A store whose rows come in eight parts, of one state. */
    private static class Ranges extends RowsStore implements RegisteredIdentifierStore.Together {
        final Set<String> threads = ConcurrentHashMap.newKeySet();
        final CountDownLatch together = new CountDownLatch(2);
        final Object database;
        final List<String> steps = new CopyOnWriteArrayList<>();

        Ranges(Object database) {
            this.database = database;
        }

        @Override
        public Object database() {
            return database;
        }

        @Override
        public void scan(Consumer<String> values) {
            throw new AssertionError("asked for itself although it comes with others");
        }

        @Override
        public Snapshot snapshot(List<?> stores, int wanted) {
            assertThat(wanted).isEqualTo(2);
            steps.add("snapshot of " + stores.size());
            return new Snapshot() {
                @Override
                public List<Partition> parts() {
                    return stores.stream()
                            .flatMap(store -> ((Ranges) store).eight().stream())
                            .toList();
                }

                @Override
                public void confirm() {
                    confirmed();
                }

                @Override
                public void close() {
                    closed();
                }
            };
        }

        void confirmed() {
            steps.add("confirmed");
        }

        void closed() {
            steps.add("closed");
        }

        private List<Partition> eight() {
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

    private static List<String> scanned(RegisteredIdentifierStore... stores) {
        List<String> seen = new CopyOnWriteArrayList<>();
        new Stores(List.of(stores)).scan(KIND, 2, seen::add);
        return seen;
    }

    @Test
    void storesThatShareADatabaseAreScannedInOneSnapshotOfItAndOthersByThemselves() {
        Ranges first = new Ranges("here");
        Ranges second = new Ranges("here");
        Ranges elsewhere = new Ranges("there");
        RowsStore plain = new RowsStore();
        first.rows.add("alice");
        second.rows.add("bob");
        elsewhere.rows.add("carol");
        plain.rows.add("dave");

        assertThat(scanned(first, plain, elsewhere, second)).containsExactlyInAnyOrder("alice", "bob", "carol", "dave");
        assertThat(first.steps).containsExactly("snapshot of 2", "confirmed", "closed");
        assertThat(second.steps).isEmpty();
        assertThat(elsewhere.steps).containsExactly("snapshot of 1", "confirmed", "closed");
    }

    @Test
    void aSnapshotIsClosedWhateverHappens() {
        Ranges store = new Ranges("here");
        store.rows.add("alice");
        assertThatThrownBy(() -> new Stores(List.of(store)).scan(KIND, 2, value -> {
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(store.steps).containsExactly("snapshot of 1", "closed");
    }

    @Test
    void aScanWhoseRowsWereNotOneStateHasFailed() {
        Ranges store = new Ranges("here") {
            @Override
            void confirmed() {
                throw new StoreException("redefined");
            }
        };
        assertThatThrownBy(() -> scanned(store))
                .isInstanceOf(StoreException.class)
                .hasMessage("redefined");
        assertThat(store.steps).containsExactly("snapshot of 1", "closed");
    }

    @Test
    void aSnapshotThatFailsToCloseAfterItsRowsWereConfirmedFailsNoScan() {
        Ranges store = new Ranges("here") {
            @Override
            void closed() {
                throw new StoreException("the pool is gone");
            }
        };
        store.rows.add("alice");
        assertThat(scanned(store)).containsExactly("alice");
    }

    @Test
    void theCheckersThreadsShareTheParts() {
        Ranges store = new Ranges("here");
        for (int i = 0; i < 10_000; i++) {
            store.rows.add("name" + i);
        }
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            CheckerFixture.eventually(() -> checker.state(KIND) == KindState.READY);

            assertThat(checker.stats(KIND).memory().entries()).isBetween(9_980L, 10_000L);
            assertThat(store.threads).hasSize(2);
            for (String row : store.rows) {
                assertThat(checker.check(KIND, row).status()).isEqualTo(Verdict.Status.TAKEN);
            }
        }
    }
}

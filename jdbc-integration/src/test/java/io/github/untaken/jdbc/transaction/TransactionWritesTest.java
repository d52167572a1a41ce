package io.github.untaken.jdbc.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.RecordingSink;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TransactionWritesTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private final RecordingSink sink = new RecordingSink();
    private final OpenTransactions open = new OpenTransactions();

    @Test
    void theFirstOutcomeCounts() {
        open.connect(sink);
        TransactionWrites writes = open.create();
        writes.adding(KIND, "alice");
        writes.end(Outcome.UNKNOWN);
        writes.end(Outcome.COMMITTED);
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void aTransactionThatWroteNothingIsNotTold() {
        open.connect(sink);
        open.create().end(Outcome.COMMITTED);
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void whatWasAnnouncedBeforeIsNotAnnouncedAfter() {
        open.connect(sink);
        TransactionWrites writes = open.create();
        writes.adding(KIND, "alice");
        writes.adding(KIND, "alice");
        writes.added(KIND, "alice");
        writes.added(KIND, "alice");
        writes.added(KIND, "alice");
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 adding username alice");
    }

    /** MariaDB without strict mode keeps the beginning, and drops the blank that is left at the end. */
    @Test
    void whatAColumnMayKeepOfAValueIsAnnouncedToo() {
        open.connect(sink);
        open.cutsAt(6);
        open.cutsAt(300);
        TransactionWrites writes = open.create();
        for (String value : List.of("alice", "abcdef", "abcdefg", "abcde fg", "\ud83d\ude00".repeat(7))) {
            writes.adding(KIND, value);
        }
        writes.adding(KIND, "\u4e00".repeat(150));
        assertThat(sink.lines())
                .containsExactlyInAnyOrder(
                        "T1 adding username alice",
                        "T1 adding username abcdef",
                        "T1 adding username abcdefg",
                        "T1 adding username abcdef",
                        "T1 adding username abcde fg",
                        "T1 adding username abcde ",
                        "T1 adding username abcde",
                        "T1 adding username " + "\ud83d\ude00".repeat(7),
                        "T1 adding username " + "\ud83d\ude00".repeat(6),
                        "T1 adding username " + "\u4e00".repeat(150),
                        "T1 adding username " + "\u4e00".repeat(6),
                        "T1 adding username " + "\u4e00".repeat(100));
    }

    /** What it writes after the scan has passed may be cut, and is not announced so. */
    @Test
    void whoAnnouncedBeforeTheRoomWasKnownIsWaitedFor() {
        open.connect(sink);
        TransactionWrites writes = open.create();
        writes.adding(KIND, "alice");
        open.awaitUnheard(Duration.ofMillis(20));
        open.cutsAt(4);
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("knew the columns");
        TransactionWrites next = open.create();
        next.adding(KIND, "bob");
        writes.end(Outcome.COMMITTED);
        open.cutsAt(4);
        open.awaitUnheard(Duration.ofMillis(20));
        next.end(Outcome.COMMITTED);
    }

    @Test
    void whatIsTooMuchToBufferIsWaitedForInstead() {
        TransactionWrites writes = open.create();
        for (int i = 0; i <= TransactionWrites.BUFFER_LIMIT; i++) {
            writes.adding(KIND, "user" + i);
        }
        open.connect(sink);
        assertThat(sink.lines()).isEmpty();
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
        writes.end(Outcome.COMMITTED);
        open.awaitUnheard(Duration.ofMillis(20));
    }

    @Test
    void whatWasToldToAnEarlierCheckerIsWaitedForByTheNext() {
        open.connect(sink);
        TransactionWrites writes = open.create();
        writes.adding(KIND, "alice");
        open.disconnect();
        open.connect(sink);
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20))).isInstanceOf(StoreException.class);
        writes.end(Outcome.COMMITTED);
        open.awaitUnheard(Duration.ofMillis(20));
        assertThat(sink.lines()).startsWith("T1 adding username alice", "T1 unknown");
    }

    @Test
    void connectingMissesNoTransactionThatIsStillOpenAfterwards() throws Exception {
        long seed = Seed.of(TransactionWritesTest.class, 20261122);
        int threads = 3;
        int spanning = 0;
        for (int round = 0; round < 100; round++) {
            OpenTransactions transactions = new OpenTransactions();
            RecordingSink told = new RecordingSink();
            AtomicBoolean connecting = new AtomicBoolean();
            AtomicBoolean connected = new AtomicBoolean();
            AtomicInteger across = new AtomicInteger();
            Set<String> openAfterwards = Collections.synchronizedSet(new HashSet<>());
            CountDownLatch started = new CountDownLatch(threads);
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                Random random = new Random(seed + round * threads + t);
                writers.add(executor.submit(() -> {
                    started.countDown();
                    int afterwards = 0;
                    for (int i = 0; afterwards < 3; i++) {
                        String name = thread + "-" + i;
                        TransactionWrites writes = transactions.create();
                        writes.adding(KIND, name);
                        boolean before = !connecting.get();
                        spin(random.nextInt(2000));
                        // Still open here: if the connect has returned, it must have been told.
                        if (connected.get()) {
                            openAfterwards.add(name);
                            afterwards++;
                            across.addAndGet(before ? 1 : 0);
                        }
                        writes.end(Outcome.COMMITTED);
                    }
                }));
            }
            started.await();
            spin(2000);
            connecting.set(true);
            transactions.connect(told);
            connected.set(true);
            for (Future<?> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
            executor.shutdown();
            spanning += across.get();
            Set<String> announced = new HashSet<>();
            for (String line : told.lines()) {
                if (line.contains(" adding ")) {
                    assertThat(announced.add(line.substring(line.lastIndexOf(' ') + 1)))
                            .isTrue();
                }
            }
            assertThat(announced).as("round %s, seed %s", round, seed).containsAll(openAfterwards);
            assertThat(told.lines().stream().filter(line -> line.endsWith(" committed")))
                    .hasSize(announced.size());
        }
        assertThat(spanning)
                .as("transactions that wrote before the connect and ended after it")
                .isPositive();
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}

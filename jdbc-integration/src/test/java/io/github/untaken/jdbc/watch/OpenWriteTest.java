package io.github.untaken.jdbc.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.RecordingSink;
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

class OpenWriteTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private final RecordingSink sink = new RecordingSink();
    private final OpenTransactions open = new OpenTransactions();

    @Test
    void whatHasEndedIsToldOfNoMore() {
        open.connect(sink);
        OpenWrite write = open.create();
        write.adding(KIND, "alice");
        write.ended();
        write.over();
        write.ended();
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 ended");
    }

    /** By two threads, say. */
    @Test
    void whatIsWrittenAfterTheEndIsToldAnew() {
        open.connect(sink);
        OpenWrite write = open.create();
        write.adding(KIND, "alice");
        write.ended();
        write.adding(KIND, "alice");
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 ended", "T2 adding username alice");
        open.disconnect();
        assertThat(sink.lines()).endsWith("T2 ended");
    }

    /** Nothing may be added to what is over, and the transaction of both has one end. */
    @Test
    void whatIsWrittenAfterItWasOverIsToldAnew() {
        open.connect(sink);
        OpenWrite write = open.create();
        for (int i = 0; i < 3; i++) {
            write.adding(KIND, "alice");
            write.over();
            write.over();
        }
        write.unseen(KIND);
        write.ended();
        assertThat(sink.lines())
                .containsExactly(
                        "T1 adding username alice",
                        "T1 over",
                        "T2 adding username alice",
                        "T2 over",
                        "T3 adding username alice",
                        "T3 over",
                        "T4 unseen username",
                        "T4 ended",
                        "T3 ended",
                        "T2 ended",
                        "T1 ended");
    }

    @Test
    void whatWritesNothingIsNotTold() {
        open.connect(sink);
        OpenWrite write = open.create();
        write.over();
        write.ended();
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void whatWasToldIsNotToldAgain() {
        open.connect(sink);
        OpenWrite write = open.create();
        write.adding(KIND, "alice");
        write.adding(KIND, "alice");
        write.unseen(KIND);
        write.unseen(KIND);
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unseen username");
    }

    /** MariaDB without strict mode keeps the beginning, and drops the blank that is left at the end. */
    @Test
    void whatAColumnMayKeepOfAValueIsAnnouncedToo() {
        open.connect(sink);
        open.cutsAt(6);
        open.cutsAt(300);
        OpenWrite write = open.create();
        for (String value : List.of("alice", "abcdef", "abcdefg", "abcde fg", "\ud83d\ude00".repeat(7))) {
            write.adding(KIND, value);
        }
        write.adding(KIND, "\u4e00".repeat(150));
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

    @Test
    void whatWasToldBeforeTheRoomWasKnownIsToldAsItMayBeKept() {
        open.connect(sink);
        open.create().adding(KIND, "alice");
        open.cutsAt(4);
        assertThat(sink.lines()).endsWith("T1 adding username alic");
    }

    @Test
    void whatIsTooMuchToRememberIsWaitedForInstead() {
        OpenWrite write = open.create();
        for (int i = 0; i <= OpenWrite.MOST_REMEMBERED; i++) {
            write.adding(KIND, "user" + i);
        }
        open.connect(sink);
        assertThat(sink.lines()).hasSize(OpenWrite.MOST_REMEMBERED);
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
        write.ended();
        open.awaitUnheard(Duration.ofMillis(20));
    }

    @Test
    void whatWasToldToAnEarlierCheckerIsToldToTheNext() {
        open.connect(sink);
        OpenWrite write = open.create();
        write.adding(KIND, "alice");
        write.over();
        open.disconnect();
        open.connect(sink);
        open.awaitUnheard(Duration.ofMillis(20));
        write.ended();
        assertThat(sink.lines())
                .containsExactly(
                        "T1 adding username alice",
                        "T1 over",
                        "T1 ended",
                        "T2 adding username alice",
                        "T2 over",
                        "T2 ended");
    }

    @Test
    void connectingMissesNoWriteThatIsStillOpenAfterwards() throws Exception {
        long seed = Seed.of(OpenWriteTest.class, 20261122);
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
                        OpenWrite writes = transactions.create();
                        writes.adding(KIND, name);
                        boolean before = !connecting.get();
                        spin(random.nextInt(2000));
                        // Still open here: if the connect has returned, it must have been told.
                        if (connected.get()) {
                            openAfterwards.add(name);
                            afterwards++;
                            across.addAndGet(before ? 1 : 0);
                        }
                        writes.over();
                        writes.ended();
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
            assertThat(told.lines().stream().filter(line -> line.endsWith(" ended")))
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

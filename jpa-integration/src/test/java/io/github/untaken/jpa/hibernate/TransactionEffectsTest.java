package io.github.untaken.jpa.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jpa.RecordingSink;
import io.github.untaken.jpa.hibernate.TransactionEffects.Outcome;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TransactionEffectsTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private final RecordingSink sink = new RecordingSink();
    private final OpenTransactions open = new OpenTransactions();

    @Test
    void theFirstOutcomeCounts() {
        open.connect(sink);
        TransactionEffects effects = open.create();
        effects.adding(KIND, "alice");
        effects.end(Outcome.UNKNOWN);
        effects.end(Outcome.COMMITTED);
        assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 unknown");
    }

    @Test
    void aTransactionThatWroteNothingIsNotTold() {
        open.connect(sink);
        open.create().end(Outcome.COMMITTED);
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void eachRowIsAnnouncedOnce() {
        open.connect(sink);
        TransactionEffects effects = open.create();
        effects.adding(KIND, "alice");
        effects.adding(KIND, "alice");
        effects.added(KIND, "alice");
        effects.added(KIND, "alice");
        effects.added(KIND, "alice");
        assertThat(sink.lines())
                .as("two rows announced before, a third after")
                .containsExactly("T1 adding username alice", "T1 adding username alice", "T1 adding username alice");
    }

    @Test
    void whatIsTooMuchToBufferIsWaitedForInstead() {
        TransactionEffects effects = open.create();
        for (int i = 0; i <= TransactionEffects.BUFFER_LIMIT; i++) {
            effects.adding(KIND, "user" + i);
        }
        open.connect(sink);
        assertThat(sink.lines()).isEmpty();
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("still open");
        effects.end(Outcome.COMMITTED);
        open.awaitUnheard(Duration.ofMillis(20));
    }

    @Test
    void whatWasToldToAnEarlierCheckerIsWaitedForByTheNext() {
        open.connect(sink);
        TransactionEffects effects = open.create();
        effects.adding(KIND, "alice");
        open.disconnect();
        open.connect(sink);
        assertThatThrownBy(() -> open.awaitUnheard(Duration.ofMillis(20))).isInstanceOf(StoreException.class);
        effects.end(Outcome.COMMITTED);
        open.awaitUnheard(Duration.ofMillis(20));
        assertThat(sink.lines()).startsWith("T1 adding username alice", "T1 unknown");
    }

    @Test
    void connectingMissesNoTransactionThatIsStillOpenAfterwards() throws Exception {
        int threads = 4;
        for (int round = 0; round < 200; round++) {
            OpenTransactions transactions = new OpenTransactions();
            RecordingSink told = new RecordingSink();
            AtomicBoolean connected = new AtomicBoolean();
            Set<String> endedAfterwards = Collections.synchronizedSet(new HashSet<>());
            CountDownLatch start = new CountDownLatch(1);
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                writers.add(executor.submit(() -> {
                    start.await();
                    for (int i = 0; i < 50; i++) {
                        String name = thread + "-" + i;
                        TransactionEffects effects = transactions.create();
                        effects.adding(KIND, name);
                        // Not yet ended here: if the connect has returned, it must have been told.
                        if (connected.get()) {
                            endedAfterwards.add(name);
                        }
                        effects.end(Outcome.COMMITTED);
                    }
                    return null;
                }));
            }
            start.countDown();
            transactions.connect(told);
            connected.set(true);
            for (Future<?> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
            executor.shutdownNow();
            List<String> lines = told.lines();
            Set<String> announced = new HashSet<>();
            for (String line : lines) {
                if (line.contains(" adding ")) {
                    assertThat(announced.add(line.substring(line.lastIndexOf(' ') + 1)))
                            .isTrue();
                }
            }
            assertThat(announced).as("round %s", round).containsAll(endedAfterwards);
            assertThat(lines.stream()
                            .filter(line -> line.endsWith(" committed"))
                            .count())
                    .isEqualTo(announced.size());
        }
    }
}

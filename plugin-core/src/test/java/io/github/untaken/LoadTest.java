package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.beside;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.kind.StoreAnswers;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many questions at once, a store that is slow, hangs or is down, and what the callers notice of it. */
class LoadTest {

    private static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "name" + i;
        }
        return names;
    }

    @Test
    void aThousandWhoAskForOneKeyAtOnceAreAtMostTwoQueries() {
        ScriptedStore store = new ScriptedStore("alice");
        Gate slowReply = store.holdReply("alice");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Recheck recheck = new Recheck(
                    new Stores(List.of(store)),
                    Duration.ofSeconds(20),
                    threads,
                    text -> found -> {},
                    (askers, keys, nanos, failure) -> {});
            List<CompletableFuture<Presence>> answers = new ArrayList<>();
            answers.add(recheck.read("alice"));
            slowReply.awaitArrival();
            for (int i = 0; i < 1_000; i++) {
                answers.add(recheck.read("alice"));
            }
            slowReply.open();

            assertThat(answers).allSatisfy(answer -> assertThat(soon(answer)).isEqualTo(Presence.COUNTED));
            assertThat(store.reads()).isEqualTo(2);
        } finally {
            threads.shutdown();
        }
    }

    /** Every read stands still until the test lets all go. */
    private static final class BusyStore implements RegisteredIdentifierStore {
        private final Map<String, Gate> arrivals = new ConcurrentHashMap<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private volatile boolean letAllPass;

        @Override
        public Presence exists(String key, Duration timeout) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                if (!letAllPass) {
                    Gate gate = new Gate();
                    arrivals.put(key, gate);
                    gate.pass();
                }
                return Presence.of(true);
            } finally {
                inside.decrementAndGet();
            }
        }

        void letAllPass() {
            letAllPass = true;
            arrivals.values().forEach(Gate::open);
        }

        @Override
        public void scan(java.util.function.Consumer<String> values) {
            List.of(names(1_000)).forEach(values);
        }
    }

    @Test
    void underAttackOnlySoManyReadsReachTheStoreAndTheRestIsUnknownAtOnce() {
        int threads = 3;
        int queue = 5;
        BusyStore store = new BusyStore();
        try (CheckerFixture f = new CheckerFixture(
                store,
                new ScriptedStore(),
                Duration.ofMinutes(1),
                b -> b.recheckThreads(threads).recheckQueue(queue))) {
            f.awaitState(KindState.READY);
            List<CompletableFuture<Verdict>> patient = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                patient.add(f.checkBeside("name" + i));
            }
            eventually(() -> store.arrivals.size() == threads);
            for (int i = 0; i < queue; i++) {
                patient.add(f.checkBeside("name" + (threads + i)));
            }
            for (int i = 100; i < 900; i++) {
                Verdict verdict = f.check("name" + i);
                assertThat(verdict.status()).isEqualTo(UNKNOWN);
                assertThat(verdict.reason()).contains(StoreAnswers.STORE_BUSY);
            }
            assertThat(f.check("nobody")).matches(v -> v.available() && v.decidedBy() == DecidedBy.FILTER);
            // Whoever waited for its timeout would have waited longer than those who came before.
            assertThat(patient).noneMatch(CompletableFuture::isDone);
            assertThat(store.inside.get()).isEqualTo(threads);

            store.letAllPass();
            assertThat(patient).allMatch(check -> soon(check).status() == TAKEN);
            eventually(() -> f.status("name500") == TAKEN);
            assertThat(store.most.get()).isEqualTo(threads);
        }
    }

    @Test
    void whoCommitsNeverWaitsForAStoreThatHangs() {
        ScriptedStore store = new ScriptedStore(names(100));
        try (CheckerFixture f =
                CheckerFixture.ready(store, b -> b.recheckThreads(2).recheckQueue(4))) {
            List<Gate> hanging = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                hanging.add(store.holdReply("name" + i));
            }
            // More than the threads and the queue can take; each commit returns although no read does.
            for (int i = 0; i < 100; i++) {
                IdentifierWrite t = f.begin();
                t.adding(KIND, "new" + i);
                store.delete("name" + i);
                store.commit("new" + i);
                CheckerFixture.end(t);
                Announcement watch = f.checker.registrations().watch(KIND, "name" + i);
                watch.close();
            }
            hanging.forEach(Gate::open);
            eventually(() -> f.stats().reads().waiting() == 0);
            assertThat(store.readingThreads())
                    .allSatisfy(name -> assertThat(name).startsWith("untaken-"));
            for (int i = 0; i < 100; i++) {
                int number = i;
                eventually(() -> f.status("new" + number) == TAKEN);
            }
        }
    }

    @Test
    void aStoreThatIsDownMeansUnknownAtOnceAndNeedsNoRestart() {
        Duration timeout = Duration.ofMinutes(1); // longer than anybody here waits
        ScriptedStore store = new ScriptedStore(names(100));
        try (CheckerFixture f = new CheckerFixture(store, store, timeout, b -> {})) {
            f.awaitState(KindState.READY);
            f.store.failing(true);
            for (int i = 0; i < 100; i++) {
                String name = "name" + i;
                assertThat(soon(beside(() -> f.status(name)))).isEqualTo(UNKNOWN);
                assertThat(f.status("free" + i)).isIn(AVAILABLE, UNKNOWN);
            }
            f.store.failing(false);
            for (int i = 0; i < 100; i++) {
                assertThat(f.status("name" + i)).isEqualTo(TAKEN);
            }
            assertThat(f.stats().state()).isEqualTo(KindState.READY);
        }
    }

    @Test
    void aStoreThatHangsMeansUnknownAfterTheTimeoutAndNeedsNoRestart() {
        Duration timeout = Duration.ofMillis(100);
        ScriptedStore store = new ScriptedStore(names(10));
        try (CheckerFixture f = new CheckerFixture(
                store, store, timeout, b -> b.recheckThreads(2).recheckQueue(2))) {
            f.awaitState(KindState.READY);
            List<Gate> hanging = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                hanging.add(store.holdReply("name" + i));
            }
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 10; i++) {
                    assertThat(f.status("name" + i)).isEqualTo(UNKNOWN);
                }
            }
            assertThat(f.check("nobody").decidedBy()).isEqualTo(DecidedBy.FILTER);
            assertThat(f.stats().reads().made())
                    .as("reads that were given up: of two threads, and the four that came in their place")
                    .isEqualTo(f.stats().reads().failed())
                    .isLessThanOrEqualTo(6);
            hanging.forEach(Gate::open);
            for (int i = 0; i < 10; i++) {
                int number = i;
                eventually(() -> f.status("name" + number) == TAKEN);
            }
        }
    }

    @Test
    void whitelistedNamesAreTakenAsSoonAsTheyAreRegistered() {
        int count = 1_000;
        ScriptedStore store = new ScriptedStore(names(5 * count));
        try (CheckerFixture f = CheckerFixture.ready(store, b -> {})) {
            for (int i = 0; i < count; i++) {
                store.delete("name" + i); // another program; the copies stay, so the filter says maybe
            }
            for (int i = 0; i < count; i++) {
                f.check("name" + i);
                assertThat(f.check("name" + i).decidedBy()).isEqualTo(DecidedBy.WHITELIST);
            }
            for (int i = 0; i < count; i++) {
                f.register("name" + i);
                assertThat(f.status("name" + i)).isEqualTo(TAKEN);
            }
            for (int i = 0; i < count; i++) {
                assertThat(f.status("name" + i)).isEqualTo(TAKEN);
            }
        }
    }
}

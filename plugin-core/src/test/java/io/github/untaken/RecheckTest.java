package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Recheck;
import io.github.untaken.store.Recheck.Judge;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nobody waits for a read that nobody runs. */
class RecheckTest {
    private final RowsStore store = new RowsStore();
    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private Error failure;
    private Function<String, Judge> judges = text -> found -> {};

    private final Executor threads = task -> {
        if (failure != null) {
            throw failure;
        }
        handedOver.add(task);
    };

    private final Recheck recheck = new Recheck(
            new Stores(List.of(store)),
            Duration.ofSeconds(20),
            threads,
            key -> judges.apply(key),
            (by, keys, nanos, failed) -> {});

    private void runAll() {
        Runnable task;
        while ((task = handedOver.poll()) != null) {
            task.run();
        }
    }

    private static Throwable failureOf(CompletableFuture<?> read) {
        assertThat(read).isCompletedExceptionally();
        return read.handle((finding, failed) -> failed).join();
    }

    @Test
    void aThreadThatCannotBeMadeEndsTheReadAndNotTheNext() {
        failure = new OutOfMemoryError("unable to create native thread");
        CompletableFuture<Presence> read = recheck.read("alice");
        assertThat(failureOf(read)).isInstanceOf(StoreException.class).hasCause(failure);
        assertThat(Recheck.wasRefused(failureOf(read))).isFalse();
        failure = null;
        CompletableFuture<Presence> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Presence.ABSENT);
    }

    @Test
    void anErrorThatMeetsAWaitingReadEndsThatReadToo() {
        CompletableFuture<Presence> running = recheck.read("alice");
        CompletableFuture<Presence>[] waiting = newArray();
        judges = key -> {
            if (waiting[0] == null) {
                waiting[0] = recheck.read("alice");
                failure = new OutOfMemoryError("unable to create native thread");
            }
            return found -> {};
        };
        runAll();
        assertThat(running).isCompletedWithValue(Presence.ABSENT);
        assertThat(failureOf(waiting[0])).hasCause(failure);
        failure = null;
        CompletableFuture<Presence> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Presence.ABSENT);
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<Presence>[] newArray() {
        return new CompletableFuture[1];
    }

    @Test
    void anErrorOfTheJudgeEndsTheReadAndNotTheNext() {
        judges = key -> {
            throw new StackOverflowError("told to fail");
        };
        CompletableFuture<Presence> read = recheck.read("alice");
        runAll();
        assertThat(failureOf(read)).isInstanceOf(StackOverflowError.class);
        judges = text -> found -> {};
        CompletableFuture<Presence> next = recheck.read("alice");
        runAll();
        assertThat(next).isCompletedWithValue(Presence.ABSENT);
    }

    @Test
    void aFullQueueIsToldFromAFailure() {
        Recheck full = new Recheck(
                new Stores(List.of(store)),
                Duration.ofSeconds(20),
                task -> {
                    throw new RejectedExecutionException();
                },
                text -> found -> {},
                (by, keys, nanos, failed) -> {});
        assertThat(Recheck.wasRefused(failureOf(full.read("alice")))).isTrue();
    }

    @Test
    void whatHasNotBegunWhenItIsClosedFails() {
        CompletableFuture<Presence> read = recheck.read("alice");
        recheck.close();
        runAll();
        assertThat(failureOf(read)).isInstanceOf(StoreException.class);
    }

    // ---------------------------------------------------------------- one question for what waits

    /** Answers questions of many keys, and tells what it was asked; a key that begins with "poison" spoils its question. */
    private static final class AskedStore extends RowsStore implements Batched {
        private final List<List<String>> questions = new ArrayList<>();
        private Runnable meanwhile = () -> {};
        private int answersLost;
        private Error error;

        @Override
        public Presence exists(String key, Duration timeout) {
            return ask(List.of(key)).get(0);
        }

        @Override
        public List<Presence> existEach(List<String> keys, Duration timeout) {
            assertThat(keys).hasSizeBetween(2, MOST_KEYS);
            List<Presence> answers = ask(keys);
            return answers.subList(0, answers.size() - answersLost);
        }

        private List<Presence> ask(List<String> keys) {
            questions.add(List.copyOf(keys));
            List<Presence> answers =
                    keys.stream().map(rows::contains).map(Presence::of).toList();
            meanwhile.run();
            if (error != null) {
                throw error;
            }
            if (keys.stream().anyMatch(key -> key.startsWith("poison"))) {
                throw new StoreException("one of the keys cannot be stored");
            }
            return answers;
        }
    }

    private final AskedStore asked = new AskedStore();
    private final List<Boolean> metered = new ArrayList<>();
    private final Recheck many = new Recheck(
            new Stores(List.of(asked)),
            Duration.ofSeconds(20),
            threads,
            key -> judges.apply(key),
            (by, keys, nanos, failed) -> metered.add(failed == null));

    private List<CompletableFuture<Presence>> read(String... keys) {
        return Arrays.stream(keys).map(many::read).toList();
    }

    private static List<Boolean> findings(List<CompletableFuture<Presence>> reads) {
        return reads.stream().map(CompletableFuture::join).map(Presence::held).toList();
    }

    @Test
    void whatWaitsIsAskedInOneQuestionAndEachHearsItsOwnAnswer() {
        asked.rows.addAll(List.of("bob", "dora"));
        List<CompletableFuture<Presence>> reads = read("alice", "bob", "carol", "dora");
        assertThat(many.read("carol")).as("has not begun").isSameAs(reads.get(2));
        runAll();
        assertThat(asked.questions).containsExactly(List.of("alice", "bob", "carol", "dora"));
        assertThat(findings(reads)).containsExactly(false, true, false, true);
        assertThat(metered).as("one read of the store").containsExactly(true);
    }

    @Test
    void noMoreTasksWaitForAThreadThanReadsThatWait() {
        for (int round = 0; round < 500; round++) {
            List<CompletableFuture<Presence>> reads = read("alice", "bob", "carol");
            assertThat(handedOver).hasSizeBetween(1, 3);
            handedOver.remove().run(); // which takes all along
            assertThat(reads).allMatch(CompletableFuture::isDone);
        }
        CompletableFuture<Presence> last = many.read("dora");
        runAll();
        assertThat(last).isCompletedWithValue(Presence.ABSENT);
    }

    @Test
    void whoeverWaitsAloneIsAskedForAlone() {
        List<CompletableFuture<Presence>> read = read("alice");
        runAll();
        assertThat(findings(read)).containsExactly(false);
        assertThat(asked.questions).containsExactly(List.of("alice"));
    }

    @Test
    void aQuestionHasNoMoreThanSoManyKeys() {
        String[] keys = IntStream.range(0, 150).mapToObj(i -> "user" + i).toArray(String[]::new);
        List<CompletableFuture<Presence>> reads = read(keys);
        runAll();
        assertThat(asked.questions.stream().map(List::size)).containsExactly(64, 64, 22);
        assertThat(asked.questions.stream().flatMap(List::stream)).containsExactlyInAnyOrder(keys);
        assertThat(findings(reads)).hasSize(150).containsOnly(false);
    }

    @Test
    void storesThatAnswerOneKeyAtATimeAreAskedSo() {
        RowsStore plain = new RowsStore();
        plain.rows.add("bob");
        asked.rows.add("carol");
        Recheck both = new Recheck(
                new Stores(List.of(asked, plain)),
                Duration.ofSeconds(20),
                threads,
                key -> judges.apply(key),
                (by, keys, nanos, failed) -> {});
        List<CompletableFuture<Presence>> reads =
                Stream.of("alice", "bob", "carol").map(both::read).toList();
        runAll();
        assertThat(findings(reads)).containsExactly(false, true, true);
        assertThat(asked.questions).containsExactly(List.of("alice"), List.of("bob"), List.of("carol"));
    }

    @Test
    void aSecondTableIsAskedOnlyForWhatTheFirstDoesNotHold() {
        AskedStore second = new AskedStore();
        asked.rows.add("bob");
        second.rows.addAll(List.of("alice", "dora"));
        assertThat(new Stores(List.of(asked, second))
                        .existEach(List.of("alice", "bob", "carol", "dora"), Duration.ofSeconds(20)))
                .containsExactly(Presence.COUNTED, Presence.COUNTED, Presence.ABSENT, Presence.COUNTED);
        assertThat(second.questions).containsExactly(List.of("alice", "carol", "dora"));
    }

    @Test
    void aCheckDoesNotJoinAQuestionThatHasBegun() {
        List<CompletableFuture<Presence>> later = new ArrayList<>();
        asked.meanwhile = () -> {
            if (later.isEmpty()) {
                asked.rows.add("bob"); // committed after the snapshot of the question under way
                later.add(many.read("bob"));
                later.add(many.read("bob"));
                later.add(many.read("carol"));
            }
        };
        List<CompletableFuture<Presence>> reads = read("alice", "bob");
        runAll();
        assertThat(findings(reads)).containsExactly(false, false);
        assertThat(findings(later)).containsExactly(true, true, false);
        assertThat(later.get(1)).as("has not begun").isSameAs(later.get(0));
    }

    @Test
    void theJudgesOfAllKeysAreMadeBeforeTheQuestionIsSent() {
        List<String> made = new ArrayList<>();
        judges = key -> {
            made.add(key);
            return found -> {};
        };
        List<List<String>> madeBefore = new ArrayList<>();
        asked.meanwhile = () -> madeBefore.add(List.copyOf(made));
        List<CompletableFuture<Presence>> reads = read("alice", "bob", "carol");
        runAll();
        assertThat(madeBefore).containsExactly(List.of("alice", "bob", "carol"));
        assertThat(findings(reads)).containsOnly(false);
    }

    @Test
    void oneKeyThatSpoilsTheQuestionCostsTheOthersNothing() {
        asked.rows.add("user63");
        String[] keys = IntStream.range(0, 64).mapToObj(i -> "user" + i).toArray(String[]::new);
        keys[5] = "poison";
        List<CompletableFuture<Presence>> reads = read(keys);
        runAll();
        assertThat(failureOf(reads.get(5))).isInstanceOf(StoreException.class);
        for (int i = 0; i < 64; i++) {
            if (i != 5) {
                assertThat(reads.get(i)).isCompletedWithValue(Presence.of(i == 63));
            }
        }
        assertThat(asked.questions).as("each alone, once").hasSize(65);
        assertThat(metered.stream().filter(succeeded -> !succeeded)).hasSize(2);
    }

    @Test
    void answersThatAreTooFewAreNone() {
        asked.rows.add("bob");
        asked.answersLost = 1;
        List<CompletableFuture<Presence>> reads = read("alice", "bob");
        runAll();
        assertThat(findings(reads)).containsExactly(false, true);
        assertThat(asked.questions).containsExactly(List.of("alice", "bob"), List.of("alice"), List.of("bob"));
    }

    @Test
    void whoJoinsAReadIsToldWithItAndWhoComesTooLateWithTheNext() {
        List<List<Object>> told = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Recheck metered = new Recheck(
                new Stores(List.of(asked)),
                Duration.ofSeconds(20),
                threads,
                key -> judges.apply(key),
                (by, keys, nanos, failed) -> {
                    told.add(by);
                    sizes.add(keys);
                });
        metered.read("alice", "first", soon());
        metered.read("alice", "second", soon());
        metered.read("alice"); // of nobody's check
        metered.read("bob", "third", soon());
        assertThat(metered.waiting()).isEqualTo(2);
        judges = key -> {
            metered.read("alice", "late", soon());
            return found -> {};
        };
        handedOver.remove().run();
        judges = text -> found -> {};
        runAll();
        assertThat(told).containsExactly(List.of("first", "second", "third"), List.of("late", "late"));
        assertThat(sizes).containsExactly(2, 1);
        assertThat(metered.waiting()).isZero();
    }

    private static long soon() {
        return System.nanoTime() + Duration.ofSeconds(20).toNanos();
    }

    @Test
    void whoHasLeftIsNotReadFor() {
        asked.rows.add("alice");
        CompletableFuture<Presence> left = many.read("alice", "somebody", System.nanoTime() - 1);
        CompletableFuture<Presence> stays = many.read("bob");
        runAll();
        assertThat(failureOf(left)).isInstanceOf(StoreException.class);
        assertThat(stays).isCompletedWithValue(Presence.ABSENT);
        assertThat(asked.questions).containsExactly(List.of("bob"));
    }

    @Test
    void whoJoinsAReadOfSomebodyWhoLeavesIsReadFor() {
        CompletableFuture<Presence> read = many.read("alice", "first", System.nanoTime() - 1);
        assertThat(many.read("alice", "second", soon())).isSameAs(read);
        runAll();
        assertThat(read).isCompletedWithValue(Presence.ABSENT);
    }

    /** Or each would be read for just as it leaves. */
    @Test
    void whereReadsAreLateTheNewestIsServedFirst() {
        List<String> order = new ArrayList<>();
        judges = text -> found -> order.add(text);
        long late = System.nanoTime() + Duration.ofSeconds(9).toNanos();
        CompletableFuture<Presence> unused = recheck.read("first", null, late);
        unused = recheck.read("second", null, soon());
        unused = recheck.read("third", null, soon());
        runAll();
        assertThat(order).containsExactly("third", "second", "first");
    }

    @Test
    void whatDoesNotComeBackIsAnsweredWithoutItAndCanBeAskedForAnew() {
        List<String> judged = new ArrayList<>();
        judges = text -> found -> judged.add(text);
        asked.rows.add("alice");
        List<CompletableFuture<Presence>> again = new ArrayList<>();
        asked.meanwhile = () -> {
            asked.meanwhile = () -> {};
            many.tick(Duration.ofSeconds(20)); // which may come at once
            again.add(many.read("alice"));
            assertThat(metered).isEmpty();
            many.tick(Duration.ofSeconds(20));
            assertThat(metered).as("one that failed").containsExactly(false);
            runAll();
            assertThat(again.get(0)).as("on another thread").isCompletedWithValue(Presence.COUNTED);
        };
        List<CompletableFuture<Presence>> reads = read("alice", "bob");
        runAll();
        reads.forEach(read -> assertThat(failureOf(read)).isInstanceOf(StoreException.class));
        assertThat(judged).as("what comes afterwards is refused").containsExactly("alice");
        assertThat(metered).containsExactly(false, true);
    }

    /** A question that has used up its time is not followed by one for each key that uses up as much. */
    @Test
    void whatTookTooLongIsNotAskedAgain() {
        Recheck hasty = new Recheck(
                new Stores(List.of(asked)),
                Duration.ofNanos(1),
                threads,
                key -> judges.apply(key),
                (by, keys, nanos, failed) -> {});
        List<CompletableFuture<Presence>> reads =
                Stream.of("alice", "bob", "carol").map(hasty::read).toList();
        runAll();
        reads.forEach(read -> assertThat(failureOf(read)).isInstanceOf(StoreException.class));
        assertThat(asked.questions).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void anErrorInAQuestionOfManyLeavesNobodyWaitingAndEndsWithIt() {
        asked.error = new OutOfMemoryError("told to fail");
        List<CompletableFuture<Presence>> reads = read("alice", "bob", "carol");
        runAll();
        reads.forEach(read -> assertThat(failureOf(read)).isSameAs(asked.error));
        asked.error = null;
        reads = read("alice", "bob", "carol");
        runAll();
        assertThat(findings(reads)).containsOnly(false);
    }

    @Test
    void anErrorOfOneJudgeIsThatKeysAlone() {
        judges = key -> {
            if (key.equals("bob")) {
                throw new StackOverflowError("told to fail");
            }
            return found -> {};
        };
        List<CompletableFuture<Presence>> reads = read("alice", "bob", "carol");
        runAll();
        assertThat(failureOf(reads.get(1))).isInstanceOf(StackOverflowError.class);
        assertThat(reads.get(0)).isCompletedWithValue(Presence.ABSENT);
        assertThat(reads.get(2)).isCompletedWithValue(Presence.ABSENT);
    }

    @Test
    void aReadThatFindsNoThreadIsRefusedUnlessAnotherTookItAlong() {
        List<CompletableFuture<Presence>> reads = new ArrayList<>(read("alice"));
        failure = new OutOfMemoryError("unable to create native thread");
        reads.addAll(read("bob"));
        failure = null;
        reads.addAll(read("carol"));
        runAll();
        assertThat(failureOf(reads.get(1))).hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(asked.questions).containsExactly(List.of("alice", "carol"));
        assertThat(many.read("bob")).as("not the one refused").isNotSameAs(reads.get(1));
    }

    @Test
    void noneOfManyBeginsAfterTheClose() {
        List<CompletableFuture<Presence>> reads = read("alice", "bob");
        many.close();
        runAll();
        reads.forEach(read -> assertThat(failureOf(read)).isInstanceOf(StoreException.class));
        assertThat(asked.questions).isEmpty();
    }

    /** Beside an exact oracle: whoever asks after a commit hears of it, however the questions are put together. */
    @Test
    void manyThreadsHearOfEveryCommitThatWasBeforeTheirQuestion() throws InterruptedException, ExecutionException {
        Map<String, Integer> committed = new ConcurrentHashMap<>();
        AtomicInteger mostRunning = new AtomicInteger();
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger questions = new AtomicInteger();
        AtomicInteger keysAsked = new AtomicInteger();
        class Racing extends RowsStore implements Batched {
            @Override
            public Presence exists(String key, Duration timeout) {
                return existEach(List.of(key), timeout).get(0);
            }

            @Override
            public List<Presence> existEach(List<String> keys, Duration timeout) {
                questions.incrementAndGet();
                keysAsked.addAndGet(keys.size());
                keys.forEach(key -> mostRunning.accumulateAndGet(
                        running.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet(), Math::max));
                List<Presence> answers = keys.stream()
                        .map(committed::containsKey)
                        .map(Presence::of)
                        .toList();
                Thread.yield();
                keys.forEach(key -> running.get(key).decrementAndGet());
                return answers;
            }
        }
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ExecutorService askers = Executors.newFixedThreadPool(6);
        try {
            Recheck racing = new Recheck(
                    new Stores(List.of(new Racing())),
                    Duration.ofMinutes(1),
                    pool,
                    text -> found -> {},
                    (by, keys, nanos, failed) -> {});
            List<Future<?>> all = new ArrayList<>();
            for (int seed = 0; seed < 6; seed++) {
                Random random = new Random(seed);
                all.add(askers.submit(() -> {
                    for (int i = 0; i < 3_000; i++) {
                        String key = "user" + random.nextInt(200);
                        boolean before = committed.containsKey(key);
                        boolean found =
                                racing.read(key).get(1, TimeUnit.MINUTES).held();
                        boolean after = committed.containsKey(key);
                        if (before || !after) {
                            assertThat(found).isEqualTo(before);
                        }
                        if (random.nextInt(50) == 0) {
                            committed.put(key, i);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            askers.shutdown();
            pool.shutdown();
        }
        assertThat(mostRunning).hasValue(1);
        assertThat(questions.get()).as("some keys went together").isLessThan(keysAsked.get());
    }
}

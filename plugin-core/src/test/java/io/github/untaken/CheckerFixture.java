package io.github.untaken;

import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A checker over a scripted store, with a clock that stands still and a transaction sink in the test's hands. */
public final class CheckerFixture implements AutoCloseable {
    /** How long something that must come may take. */
    static final long PATIENCE_SECONDS = Long.getLong("test.patience", 60);

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** The registry looks at its clock, which the test sets, so often that nobody waits for it. */
    static final Duration TICK = Duration.ofMillis(2);

    public static final IdentifierKind KIND = IdentifierKind.of("name");

    /** Lower case is the key; nothing is refused. */
    public static final IdentifierNormalizer LOWER_CASE = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return value.toLowerCase(Locale.ROOT);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    };

    private record Change(KindState state, String reason) {}

    final ScriptedStore store;
    private final RegisteredIdentifierStore rows;
    final AvailabilityChecker checker;
    final AtomicLong nanos = new AtomicLong();
    private final LinkedBlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Long> rebuilds = new LinkedBlockingQueue<>();
    private WriteSink sink;

    CheckerFixture(ScriptedStore store) {
        this(store, builder -> {});
    }

    CheckerFixture(ScriptedStore store, Consumer<AvailabilityCheckerBuilder> settings) {
        this(store, store, settings);
    }

    /** A checker over another store; the scripted one stays unused. */
    CheckerFixture(RegisteredIdentifierStore rows, ScriptedStore store, Consumer<AvailabilityCheckerBuilder> settings) {
        this(rows, store, Duration.ofSeconds(20), settings);
    }

    CheckerFixture(
            RegisteredIdentifierStore rows,
            ScriptedStore store,
            Duration recheckTimeout,
            Consumer<AvailabilityCheckerBuilder> settings) {
        this(rows, store, recheckTimeout, LOWER_CASE, settings);
    }

    private CheckerFixture(
            RegisteredIdentifierStore rows,
            ScriptedStore store,
            Duration recheckTimeout,
            IdentifierNormalizer normalizer,
            Consumer<AvailabilityCheckerBuilder> settings) {
        this.rows = rows;
        this.store = store;
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .singleWriter(false)
                .source(new Source())
                .normalizer(KIND, normalizer)
                .recheckTimeout(recheckTimeout)
                .rescanInterval(Duration.ofDays(300))
                .ticker(nanos::get)
                .tick(TICK)
                .listener(new CheckListener() {
                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        changes.add(new Change(state, reason));
                    }

                    @Override
                    public void rebuilt(IdentifierKind kind, long rows, long duration) {
                        rebuilds.add(rows);
                    }
                });
        settings.accept(builder);
        checker = builder.build();
    }

    /** A ready checker over these rows. */
    static CheckerFixture ready(String... rows) {
        return ready(new ScriptedStore(rows), builder -> {});
    }

    static CheckerFixture ready(ScriptedStore store, Consumer<AvailabilityCheckerBuilder> settings) {
        CheckerFixture fixture = new CheckerFixture(store, settings);
        fixture.awaitReady();
        return fixture;
    }

    /** A ready checker whose keys are those of another normalizer. */
    static CheckerFixture ready(ScriptedStore store, IdentifierNormalizer normalizer) {
        CheckerFixture fixture = new CheckerFixture(store, store, Duration.ofSeconds(20), normalizer, builder -> {});
        fixture.awaitReady();
        return fixture;
    }

    /** A ready checker over a store of the test's own. */
    static CheckerFixture ready(RegisteredIdentifierStore rows) {
        CheckerFixture fixture = new CheckerFixture(rows, new ScriptedStore(), builder -> {});
        fixture.awaitReady();
        return fixture;
    }

    private void awaitReady() {
        awaitState(KindState.READY);
        awaitRebuild();
    }

    private final class Source implements IdentifierSource {
        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return Map.of(KIND, List.of(rows));
        }

        @Override
        public void connect(WriteSink given) {
            sink = given;
        }

        @Override
        public void disconnect() {}
    }

    /** Opens a statement as a source would. */
    IdentifierWrite begin() {
        return sink.begin();
    }

    /** Registers a name as an application does: tell of it, commit the row. */
    void register(String name) {
        IdentifierWrite write = begin();
        write.adding(KIND, name);
        store.commit(name);
        end(write);
    }

    /** The statement was answered, and its transaction has ended, somehow. */
    static void end(IdentifierWrite write) {
        write.over();
        write.ended();
    }

    Verdict check(String text) {
        return checker.check(KIND, text);
    }

    Verdict.Status status(String text) {
        return check(text).status();
    }

    /** The answer once there is room for its read: those of the work before may still fill the queue. */
    Verdict.Status statusOnceThereIsRoom(String text) {
        AtomicReference<Verdict.Status> answer = new AtomicReference<>();
        eventually(() -> {
            answer.set(status(text));
            return answer.get() != Verdict.Status.UNKNOWN;
        });
        return answer.get();
    }

    /** A check on a thread of its own, which has gone as far as it can alone: it has ended, or waits for its read. */
    CompletableFuture<Verdict> checkBeside(String text) {
        return besideAsFarAsItGoes(() -> check(text));
    }

    /** Work on a thread of its own, which has ended or waits for something. */
    public static <T> CompletableFuture<T> besideAsFarAsItGoes(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = startBeside(work, result);
        eventually(() -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> false;
        });
        return result;
    }

    public static <T> CompletableFuture<T> beside(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        startBeside(work, result);
        return result;
    }

    private static <T> Thread startBeside(Supplier<T> work, CompletableFuture<T> result) {
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.get());
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                },
                "beside");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static <T> T soon(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new WaitedInVain("a thread beside the test did not end");
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    KindStats stats() {
        return checker.stats(KIND);
    }

    /** Consumes the changes of state up to and including this one. */
    void awaitState(KindState wanted) {
        try {
            Change change;
            do {
                change = changes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (change == null) {
                    throw new WaitedInVain("not " + wanted + " but " + checker.state(KIND));
                }
            } while (change.state() != wanted);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns once a further rebuild has finished. */
    void awaitRebuild() {
        try {
            if (rebuilds.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
                throw new WaitedInVain("no rebuild came");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void forgetRebuilds() {
        rebuilds.clear();
    }

    /** Returns once a condition that other threads bring about holds; bounded. */
    public static void eventually(Supplier<Boolean> condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.get()) {
            if (System.nanoTime() - deadline > 0) {
                throw new WaitedInVain("the condition did not hold");
            }
            LockSupport.parkNanos(PAUSE_NANOS); // takes nothing from the threads it waits for
        }
    }

    @Override
    public void close() {
        checker.close();
    }
}

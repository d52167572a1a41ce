package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.beside;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.memory.Generations;
import io.github.untaken.spi.IdentifierWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A thousand swaps under readers and writers: each reader sees the one or the other complete generation. */
class SwapRaceTest {
    private static final int SWAPS = Integer.getInteger("swaps", 1_000);
    private static final int READERS = 8;
    private static final int WRITERS = 2;
    private static final int NAMES = 200;
    private static final long SEED = Seed.of(SwapRaceTest.class, 20261122);

    // 4 for each change, 2 if registered, 1 while it is changing
    private final AtomicIntegerArray oracle = new AtomicIntegerArray(NAMES);
    private final AtomicLong checks = new AtomicLong();
    private final AtomicLong falseAvailable = new AtomicLong();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final AtomicBoolean end = new AtomicBoolean();

    @Test
    void noReaderMissesACommittedNameFailsOrWaits() {
        try (CheckerFixture f = CheckerFixture.ready()) {
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int lane = writer;
                all.add(beside(() -> write(f, lane)));
            }
            for (int reader = 0; reader < READERS; reader++) {
                long seed = SEED + reader;
                all.add(beside(() -> read(f, seed)));
            }
            try {
                for (int swap = 0; swap < SWAPS; swap++) {
                    f.forgetRebuilds();
                    f.checker.rescan(KIND);
                    f.awaitRebuild();
                }
            } finally {
                end.set(true);
            }
            all.forEach(CompletableFuture::join); // throws what any of them threw

            System.out.printf("%d swaps, %d checks, slowest %d us%n", SWAPS, checks.get(), slowestNanos.get() / 1_000);
            assertThat(falseAvailable.get())
                    .as("seed %d, %d checks", SEED, checks.get())
                    .isZero();
            // A reader that waits for what does not come; a busy machine may keep any thread off for seconds.
            assertThat(Duration.ofNanos(slowestNanos.get()))
                    .isLessThan(Duration.ofSeconds(CheckerFixture.PATIENCE_SECONDS));
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.stats().state()).isEqualTo(KindState.READY);
        }
    }

    /** One lock of the library after the other is held, since how often a thread waited counts the JVM's own locks too. */
    @Test
    void whoIsAnsweredFromMemoryWaitsForNoLock() throws Exception {
        try (CheckerFixture f = CheckerFixture.ready("taken", "freed")) {
            f.store.delete("freed");
            f.check("freed");

            Set<Object> locks = HeldLocks.within(f.checker);
            assertThat(HeldLocks.neededBy(locks, () -> {
                        assertThat(f.check("free").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);
                        assertThat(f.check("freed").decidedBy()).isEqualTo(Verdict.DecidedBy.WHITELIST);
                        f.checker.checkInMemory(KIND, "taken");
                    }))
                    .isEmpty();
            assertThat(HeldLocks.neededBy(locks, () -> CheckerFixture.end(told(f, "taken"))))
                    .as("what the telling of a name needs that the filter knows")
                    .doesNotContain(Generations.class);
            assertThat(HeldLocks.neededBy(locks, () -> f.begin().unseen(KIND)))
                    .as("what an unseen write needs, so locks are found and held")
                    .contains(Generations.class);
            assertThat(HeldLocks.neededBy(locks, () -> f.status("taken")))
                    .as("what a read needs")
                    .contains(Object.class);
        }
    }

    private static IdentifierWrite told(CheckerFixture f, String name) {
        IdentifierWrite write = f.begin();
        write.adding(KIND, name);
        return write;
    }

    /** Each writer has names of its own. */
    private boolean write(CheckerFixture f, int lane) {
        SplittableRandom random = new SplittableRandom(SEED - lane - 1);
        while (!end.get()) {
            int n = random.nextInt(NAMES / WRITERS) * WRITERS + lane;
            int before = oracle.get(n);
            String name = "name" + n;
            IdentifierWrite t = f.begin();
            oracle.set(n, before | 1);
            if ((before & 2) != 0) {
                f.store.delete(name);
                oracle.set(n, (before & ~2) + 4);
            } else {
                t.adding(KIND, name);
                if (random.nextInt(4) == 0) {
                    oracle.set(n, before + 4); // it was refused
                } else {
                    f.store.commit(name);
                    oracle.set(n, (before | 2) + 4);
                }
            }
            CheckerFixture.end(t);
            Thread.yield();
        }
        return true;
    }

    private boolean read(CheckerFixture f, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!end.get()) {
            int n = random.nextInt(NAMES);
            int before = oracle.get(n);
            long begin = System.nanoTime();
            Verdict.Status status = random.nextInt(4) == 0
                    ? f.status("name" + n)
                    : f.checker.checkInMemory(KIND, "name" + n).status();
            slowestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
            boolean thereThroughout = oracle.get(n) == before && (before & 3) == 2;
            if (thereThroughout && status == Verdict.Status.AVAILABLE) {
                falseAvailable.incrementAndGet();
            }
            checks.incrementAndGet();
        }
        return true;
    }
}

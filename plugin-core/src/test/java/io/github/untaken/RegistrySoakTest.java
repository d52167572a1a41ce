package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Writers, checkers and rebuilds at full speed, beside an exact oracle: one number for each name, odd while some
 * transaction is changing it, and otherwise telling whether the name is registered.
 */
class RegistrySoakTest {
    private static final int NAMES = 400;
    private static final int WRITERS = 3;
    private static final int CHECKERS = 3;
    private static final int WRITES = 20_000;
    private static final long SEED = Seed.of(RegistrySoakTest.class, 20261121);

    // version * 4 + 2 * registered + busy
    private final AtomicIntegerArray oracle = new AtomicIntegerArray(NAMES);
    private final AtomicLong falseAvailable = new AtomicLong();
    private final AtomicLong checks = new AtomicLong();

    @Test
    void neverCallsACommittedNameAvailable() {
        ScriptedStore store = new ScriptedStore();
        try (CheckerFixture f = CheckerFixture.ready(store, UsernameNormalizer.defaults())) {
            List<CompletableFuture<Boolean>> writers = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                int lane = w;
                writers.add(CheckerFixture.beside(() -> write(f, lane)));
            }
            CompletableFuture<Void> writing = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
            List<CompletableFuture<Boolean>> readers = new ArrayList<>();
            for (int c = 0; c < CHECKERS; c++) {
                long seed = SEED + 100 + c;
                readers.add(CheckerFixture.beside(() -> checkUntil(f, writing, seed)));
            }
            CompletableFuture<Boolean> rebuilds = CheckerFixture.beside(() -> rebuildUntil(f, writing));

            writing.join();
            readers.forEach(CompletableFuture::join);
            rebuilds.join();

            assertThat(falseAvailable.get())
                    .as("seed %d, %d checks", SEED, checks.get())
                    .isZero();
            assertThat(checks.get()).isPositive();
            for (int n = 0; n < NAMES; n++) {
                boolean registered = (oracle.get(n) & 2) != 0;
                assertThat(f.statusOnceThereIsRoom(name(n)))
                        .isEqualTo(registered ? Verdict.Status.TAKEN : Verdict.Status.AVAILABLE);
            }
            assertThat(f.stats().missesProved()).isZero();
        }
    }

    /** Each writer has names of its own, so the oracle knows what its own writes did. */
    private boolean write(CheckerFixture f, int lane) {
        SplittableRandom random = new SplittableRandom(SEED + lane);
        for (int i = 0; i < WRITES; i++) {
            int n = random.nextInt(NAMES / WRITERS) * WRITERS + lane;
            int before = oracle.get(n);
            boolean registered = (before & 2) != 0;
            IdentifierWrite t = f.begin();
            oracle.set(n, before | 1);
            int outcome = random.nextInt(10);
            if (registered) {
                if (outcome < 7) {
                    f.store.delete(name(n));
                    oracle.set(n, (before & ~2) + 4);
                } else {
                    t.adding(KIND, name(n)); // a sign-up of a taken name
                    oracle.set(n, before + 4);
                }
                CheckerFixture.end(t);
            } else {
                t.adding(KIND, name(n));
                if (outcome < 7) {
                    f.store.commit(name(n));
                    oracle.set(n, (before | 2) + 4); // from here on "available" is wrong
                    CheckerFixture.end(t);
                } else if (outcome < 9) {
                    oracle.set(n, before + 4); // it was refused, or rolled back
                    CheckerFixture.end(t);
                } else {
                    t.ended(); // the connection breaks, and the server goes on
                    f.store.commit(name(n));
                    oracle.set(n, (before | 2) + 4);
                }
            }
        }
        return true;
    }

    private boolean checkUntil(CheckerFixture f, CompletableFuture<Void> end, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (!end.isDone()) {
            int n = random.nextInt(NAMES);
            int before = oracle.get(n);
            Verdict.Status status = f.status(name(n));
            int after = oracle.get(n);
            boolean registeredThroughout = before == after && (before & 3) == 2;
            if (registeredThroughout && status == Verdict.Status.AVAILABLE) {
                falseAvailable.incrementAndGet();
            }
            checks.incrementAndGet();
        }
        return true;
    }

    private static boolean rebuildUntil(CheckerFixture f, CompletableFuture<Void> end) {
        int swaps = 0;
        while (!end.isDone()) {
            f.checker.rescan(KIND);
            f.awaitRebuild();
            if (++swaps % 10 == 0) {
                f.checker.registrations().bulk(KIND, () -> {});
            }
        }
        return true;
    }

    /** Of one to three words of eight characters: a name of two or three is read once for rules, reserved names and memory. */
    private static String name(int n) {
        return switch (n % 3) {
            case 0 -> "name" + n;
            case 1 -> "name_of_" + n;
            default -> "name_of_the_number_" + n;
        };
    }
}

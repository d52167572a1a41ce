package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.beside;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.IdentifierTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Each committed row owns one copy of its key: failed sign-ups leave none, and a deletion takes at most one. */
class CopiesTest {
    private static final int REFUSED = 12_000;

    private static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "name" + i;
        }
        return names;
    }

    private record Memory(long entries, long bytes, long pending, long doubtful, long epoch) {
        static Memory of(RegistryStats stats) {
            return new Memory(stats.entries(), stats.bytes(), stats.pending(), stats.doubtful(), stats.epoch());
        }
    }

    @Test
    void refusedRegistrationsOfTakenNamesLeaveNoTrace() {
        try (CheckerFixture f = CheckerFixture.ready(names(1_000))) {
            Memory before = Memory.of(f.stats());
            for (int i = 0; i < REFUSED; i++) {
                String taken = "name" + i % 1_000;
                switch (i % 3) {
                    case 0 -> {
                        IdentifierTransaction refused = f.begin();
                        refused.adding(KIND, taken);
                        refused.rolledBack();
                    }
                    case 1 -> {
                        // The statement violates the constraint after another went well; all of it is rolled back.
                        IdentifierTransaction refused = f.begin();
                        refused.adding(KIND, "new" + i);
                        refused.adding(KIND, taken);
                        refused.rolledBack();
                    }
                    default -> {
                        Announcement refused = f.checker.registrations().announce(KIND, taken);
                        refused.rolledBack();
                        refused.close();
                    }
                }
            }
            // Only the free names that were refused beside a taken one are worth a read, as far as reads can be queued.
            assertThat(Memory.of(f.stats())).isEqualTo(before);
            assertThat(f.store.reads()).isLessThanOrEqualTo((REFUSED + 1) / 3);
            for (int i = 1; i < REFUSED; i += 3_000) {
                assertThat(f.statusOnceThereIsRoom("new" + i)).isEqualTo(AVAILABLE);
            }
        }
    }

    @Test
    void refusedRequestsUnderAWatchLeaveNoTraceOfANameThatIsTaken() {
        try (CheckerFixture f = CheckerFixture.ready(names(100))) {
            Memory before = Memory.of(f.stats());
            for (int i = 0; i < 2_000; i++) {
                f.checker.registrations().watch(KIND, "name" + i % 100).close();
            }
            eventually(() -> f.stats().pending() == 0);
            // A read that cannot be queued keeps the name, which then has a copy already.
            assertThat(Memory.of(f.stats())).isEqualTo(before);
        }
    }

    @Test
    void aDeletionToldThreeTimesAtOnceTakesAtMostOneCopy() {
        int deleted = 200;
        try (CheckerFixture f =
                CheckerFixture.ready(new ScriptedStore(names(1_000)), builder -> builder.recheckQueue(10_000))) {
            for (int i = 0; i < deleted; i++) {
                String name = "name" + i;
                f.store.delete(name);
                CountDownLatch start = new CountDownLatch(1);
                List<CompletableFuture<Boolean>> tellers = new ArrayList<>();
                for (int teller = 0; teller < 3; teller++) {
                    IdentifierTransaction t = f.begin();
                    t.removing(KIND, name, true);
                    t.removing(KIND, name, true);
                    tellers.add(beside(() -> {
                        await(start);
                        t.committed();
                        return true;
                    }));
                }
                start.countDown();
                f.checker.registrations().released(KIND, name);
                tellers.forEach(CheckerFixture::soon);
            }
            eventually(() -> 1_000 - f.stats().entries() + f.stats().staleRemovals() == 4L * deleted);
            assertThat(f.stats().entries()).isGreaterThanOrEqualTo(1_000 - deleted);
            for (int i = deleted; i < 1_000; i++) {
                assertThat(f.status("name" + i)).isEqualTo(TAKEN);
            }
        }
    }

    /** Of a key that is not there, some stranger's copy may look like it. */
    @Test
    void deletesWithoutProofTakeNoCopyOfAnybody() {
        int members = 20_000;
        try (CheckerFixture f = CheckerFixture.ready(names(members))) {
            for (int i = 0; i < 100_000; i++) {
                IdentifierTransaction t = f.begin();
                t.removing(KIND, "stranger" + i, false);
                t.committed();
            }
            assertThat(f.stats().staleRemovals()).isEqualTo(100_000);
            assertThat(f.stats().entries()).isEqualTo(members);
            for (int i = 0; i < members; i++) {
                assertThat(f.checker.checkInMemory(KIND, "name" + i).available())
                        .isFalse();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The unique constraint alone says who was first; memory gets one copy of the winner's row. */
    @Test
    void ofManyWhoRegisterOneNameExactlyOneSucceedsAndNobodyIsToldItIsFree() {
        int threads = 16;
        int rounds = 1_000;
        try (CheckerFixture f = CheckerFixture.ready(names(5 * rounds))) {
            long before = f.stats().entries();
            ConcurrentMap<String, Integer> uniqueIndex = new ConcurrentHashMap<>();
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Integer>> registrars = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int self = thread;
                registrars.add(beside(() -> {
                    await(start);
                    int won = 0;
                    for (int round = 0; round < rounds; round++) {
                        String name = "new" + round;
                        IdentifierTransaction t = f.begin();
                        t.adding(KIND, name);
                        if (uniqueIndex.putIfAbsent(name, self) == null) {
                            f.store.commit(name);
                            t.committed();
                            won++;
                        } else {
                            t.rolledBack();
                        }
                        if (f.checker.checkInMemory(KIND, name).available()) {
                            throw new AssertionError("a registered name was called available in round " + round);
                        }
                    }
                    return won;
                }));
            }
            start.countDown();
            int won = registrars.stream().mapToInt(CompletableFuture::join).sum();

            assertThat(won).isEqualTo(rounds);
            assertThat(f.stats().pending()).isZero();
            assertThat(f.stats().missesProved()).isZero();
            assertThat(f.stats().entries()).isEqualTo(before + rounds);
            for (int round = 0; round < rounds; round += 100) {
                assertThat(f.status("new" + round)).isEqualTo(TAKEN);
            }
        }
    }
}

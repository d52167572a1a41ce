package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.IdentifierWrite;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What makes the registry scan anew by itself; failures and doubts have their tests elsewhere. */
class RebuildTriggersTest {

    private static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "name" + i;
        }
        return names;
    }

    /** Sign-ups that were refused, or rolled back. */
    private static void tellForNothing(CheckerFixture f, int count) {
        for (int i = 0; i < count; i++) {
            IdentifierWrite write = f.begin();
            write.adding(KIND, "nobody" + i);
            CheckerFixture.end(write);
        }
    }

    @Test
    void whatWasToldForNothingIsSweptOutOnceItIsMuchMoreThanTheRows() {
        try (CheckerFixture f = CheckerFixture.ready(names(100))) {
            tellForNothing(f, 11_000);
            assertThat(f.stats().state())
                    .as("the one that serves was told of everything")
                    .isEqualTo(KindState.READY);
            f.nanos.addAndGet(Duration.ofMinutes(2).toNanos());

            f.awaitRebuild();

            assertThat(f.stats().memory().entries()).isEqualTo(100);
            assertThat(f.stats().state()).isEqualTo(KindState.READY);
        }
    }

    @Test
    void aFewAreNotWorthAScan() {
        try (CheckerFixture f = CheckerFixture.ready(names(100))) {
            tellForNothing(f, 9_000);
            assertThat(f.checker.check(KIND, "nobody1").available()).isTrue();
            f.nanos.addAndGet(Duration.ofMinutes(2).toNanos());

            eventually(() -> f.stats().memory().renewals() == 1);

            assertThat(f.store.scans()).isEqualTo(1);
        }
    }

    @Test
    void namesThatAreGoneAndAskedForAgainAndAgainAreSweptOut() {
        try (CheckerFixture f = CheckerFixture.ready(names(5_000))) {
            for (int i = 0; i < 1_000; i++) {
                f.store.delete("name" + i); // nobody tells
                assertThat(f.checker.check(KIND, "name" + i).available()).isTrue();
            }
            f.nanos.addAndGet(Duration.ofMinutes(6).toNanos());

            f.awaitRebuild();

            assertThat(f.stats().memory().entries())
                    .as("but for some that the filter took for members already")
                    .isBetween(3_980L, 4_000L);
            assertThat(f.stats().state()).isEqualTo(KindState.READY);
        }
    }

    @Test
    void theStoreIsScannedAgainAtItsInterval() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            f.store.commit("bob"); // nobody tells
            f.nanos.addAndGet(Duration.ofDays(301).toNanos());

            f.awaitRebuild();

            assertThat(f.status("bob")).isEqualTo(Verdict.Status.TAKEN);
        }
    }
}

package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Spelling;
import io.github.untaken.spi.IdentifierTransaction;
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

    private static void delete(CheckerFixture f, int from, int to) {
        for (int i = from; i < to; i++) {
            IdentifierTransaction transaction = f.begin();
            transaction.removing(KIND, "name" + i);
            f.store.delete("name" + i);
            transaction.committed();
        }
    }

    @Test
    void entriesOfRowsThatAreGoneAreSweptOutWhenTheyAreMany() {
        try (CheckerFixture f = CheckerFixture.ready(names(5_000))) {
            delete(f, 0, 1_000);

            f.awaitRebuild();

            assertThat(f.stats().entries())
                    .as("but for some that the filter took for members already")
                    .isBetween(3_980L, 4_000L);
            assertThat(f.stats().state()).isEqualTo(KindState.READY);
        }
    }

    @Test
    void aFewStaleEntriesAreNotWorthAScan() {
        Generation generation =
                new Generation(KeyHasher.random(), MembershipFilters.of(FilterType.CUCKOO, 10_000), false, 100);
        for (int i = 0; i < 5_000; i++) {
            assertThat(generation.add("name" + i, Spelling.KEY)).isTrue();
        }
        for (int i = 0; i < 999; i++) {
            generation.noteStale();
        }
        assertThat(generation.wantsRebuild(0.1)).isFalse();
        generation.noteStale();
        assertThat(generation.wantsRebuild(0.1)).isTrue();
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

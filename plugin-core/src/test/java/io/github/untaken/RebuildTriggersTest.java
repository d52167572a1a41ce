package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
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

    /** Deletes rows without proof, so that their copies stay. */
    private static void deleteUnproved(CheckerFixture f, int from, int to) {
        for (int i = from; i < to; i++) {
            IdentifierTransaction transaction = f.begin();
            transaction.removing(KIND, "name" + i, false);
            f.store.delete("name" + i);
            transaction.committed();
        }
    }

    @Test
    void copiesOfRowsThatAreGoneAreSweptOutWhenTheyAreMany() {
        try (CheckerFixture f = CheckerFixture.ready(names(5_000))) {
            deleteUnproved(f, 0, 1_000);

            f.awaitRebuild();

            assertThat(f.stats().entries()).isEqualTo(4_000);
            assertThat(f.stats().state()).isEqualTo(RegistryState.READY);
        }
    }

    @Test
    void aFewStaleCopiesAreNotWorthAScan() {
        Generation generation = new Generation(KeyHasher.random(), MembershipFilters.of(FilterType.CUCKOO, 10_000));
        for (int i = 0; i < 5_000; i++) {
            generation.add(generation.hash("name" + i));
        }
        for (int i = 0; i < 999; i++) {
            generation.noteStale();
        }
        assertThat(generation.wantsRebuild()).isFalse();
        generation.noteStale();
        assertThat(generation.wantsRebuild()).isTrue();
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

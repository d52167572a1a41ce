package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.KindState;
import io.github.untaken.RowsStore;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.CoarseFilter;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Telling;
import io.github.untaken.store.Stores;
import io.github.untaken.text.Fold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** More keys than the membership filter was planned for: it grows, and the next rebuild plans anew. */
class OutgrownFilterTest {
    private final RowsStore store = new RowsStore(); // it cannot count, so the smallest filter is planned
    private final List<Long> planned = new ArrayList<>();
    /** Of the kind's state at each plan. */
    private final List<String> reasons = new ArrayList<>();

    private boolean growsNever;
    private long nanos;
    private final VirtualSchedule rebuilds = new VirtualSchedule(() -> nanos);
    private final RegisteredKind registered = new RegisteredKind(
            new KindTerms(
                    KIND,
                    LOWER_CASE,
                    new Stores(List.of(store)),
                    CatalogLease.Terms.UNASKED,
                    KindTerms.Policy.PLAIN,
                    new KindTerms.Workers(Runnable::run, rebuilds, Runnable::run)),
            SteppedSettings.of(this::generation, Duration.ofDays(1), () -> nanos),
            null);

    private Generation generation(Fold fold, long entries) {
        planned.add(entries);
        reasons.add(registered.stats().reason());
        MembershipFilter grows = MembershipFilters.of(FilterType.CUCKOO, entries);
        boolean refuses = growsNever && planned.size() < 5; // or a plan that never grows would be tried for ever
        return new Generation(
                fold,
                KeyHasher.of(1, 2),
                refuses ? CoarseFilter.of(grows, Long.SIZE, entries) : grows,
                new Generation.Limits(100, 100, 0));
    }

    private void pass(Duration time) {
        for (long end = nanos + time.toNanos(); nanos < end; nanos += TimeUnit.MILLISECONDS.toNanos(500)) {
            while (rebuilds.canRun()) {
                rebuilds.runNext();
            }
        }
    }

    private void register(String name) {
        Telling telling = new Telling();
        registered.tellings().tell(telling, name);
        store.rows.add(name);
        registered.tellings().close(telling);
    }

    @Test
    void growsWhileItServesAndIsPlannedAnewByTheRebuildItAsksFor() {
        registered.start();
        pass(Duration.ofSeconds(2));
        assertThat(planned).hasSize(1);
        for (int i = 0; i < 30_000; i++) {
            register("name" + i);
        }
        assertThat(registered.state()).isEqualTo(KindState.READY);
        for (int i = 0; i < 30_000; i++) {
            assertThat(registered
                            .registry()
                            .checkInMemory("name" + i, "name" + i)
                            .available())
                    .isFalse();
        }
        assertThat(registered.generations().view().serving().isOutgrown()).isTrue();

        // This one grows as it is filled, since nobody said how many there are; the next knows.
        pass(Duration.ofSeconds(10));

        assertThat(planned).hasSize(3);
        assertThat(planned.get(2)).isBetween(30_000L, 40_000L);
        assertThat(registered.generations().view().serving().isOutgrown()).isFalse();
        for (int i = 0; i < 30_000; i++) {
            assertThat(registered
                            .registry()
                            .checkInMemory("name" + i, "name" + i)
                            .available())
                    .isFalse();
        }
    }

    @Test
    void whereEvenThatHasNoRoomTheNextScanPlansForTwiceAsMany() {
        growsNever = true;
        for (int i = 0; i < 25_000; i++) {
            store.rows.add("name" + i);
        }
        registered.start();
        pass(Duration.ofSeconds(2));
        assertThat(registered.state()).isEqualTo(KindState.READY);
        assertThat(planned).hasSize(3);
        assertThat(planned.get(1)).isBetween(20_000L, 20_100L);
        assertThat(planned.get(2)).isBetween(40_000L, 40_200L);
        assertThat(reasons.get(0)).doesNotContain("more rows than it had counted");
        assertThat(reasons.subList(1, 3))
                .allSatisfy(reason -> assertThat(reason).contains("more rows than it had counted"));
    }

    @Test
    void aGenerationGrowsBeforeItKeepsAnythingExactlyBesideItsFilter() {
        Generation generation = generation(Fold.byKey(LOWER_CASE), 10_000);
        for (int i = 0; i < 75_000; i++) {
            assertThat(generation.add("name" + i)).isTrue();
        }
        // Two bytes an entry and not 64.
        assertThat(generation.bytes()).isBetween(150_000L, 250_000L);
        assertThat(generation.entries())
                .as("but for a few that were taken for another")
                .isBetween(74_700L, 75_000L);
        for (int i = 0; i < 75_000; i++) {
            assertThat(generation.mightContain("name" + i)).isTrue();
        }
    }
}

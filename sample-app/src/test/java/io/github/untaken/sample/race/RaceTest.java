package io.github.untaken.sample.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.StoreRead;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.experiment.DatabaseCheck;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.CheckTraces;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RaceTest {
    private static final int USERS = 5_000;
    private static final int MANY = 1_500;

    private final Turn turn = new Turn();

    /** The rows of those indexes, of which a scan sees those that the other predicate leaves. */
    private static final class Rows implements RegisteredIdentifierStore {
        private final boolean phones;
        private final IntPredicate held;
        private final IntPredicate seen;
        private volatile boolean stopped;

        Rows(boolean phones, IntPredicate held, IntPredicate seen) {
            this.phones = phones;
            this.held = held;
            this.seen = seen;
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            if (stopped) {
                throw new StoreException("stopped");
            }
            int index = phones ? MadeUpAccounts.indexOfPhone(key) : MadeUpAccounts.indexOf(key);
            return Presence.of(
                    index >= 0 && index < USERS && (!phones || MadeUpAccounts.hasPhone(index)) && held.test(index));
        }

        @Override
        public void scan(Consumer<String> values) {
            for (int i = 0; i < USERS; i++) {
                if (held.test(i) && seen.test(i) && (!phones || MadeUpAccounts.hasPhone(i))) {
                    values.accept(phones ? MadeUpAccounts.phone(i) : MadeUpAccounts.username(i));
                }
            }
        }
    }

    private interface Course {
        void run(Race race, List<Rows> stores) throws Exception;
    }

    private void race(IntPredicate held, IntPredicate seen, Course course) throws Exception {
        List<Rows> stores = List.of(new Rows(false, held, seen), new Rows(true, held, seen));
        CheckReads reads = new CheckReads();
        CheckTraces traces = new CheckTraces(reads);
        CheckListener listener = new CheckListener() {
            @Override
            public Object storeAsked(IdentifierKind kind) {
                return traces.asked();
            }

            @Override
            public void storeRead(IdentifierKind kind, StoreRead read) {
                traces.read(read);
            }
        };
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                        .store(IdentifierKind.USERNAME, stores.get(0))
                        .store(IdentifierKind.PHONE, stores.get(1))
                        .normalizer(IdentifierKind.USERNAME, UsernameNormalizer.defaults())
                        .normalizer(IdentifierKind.PHONE, PhoneNumberNormalizer.forRegion("CN"))
                        .auditRows(0)
                        .singleWriter(false)
                        .listener(listener)
                        .build();
                Race race = new Race(
                        checker, traces, reader(stores), reader(stores), USERS, turn, () -> !stores.get(0).stopped)) {
            race.setRate(Race.MOST_RATE);
            race.setRoundTrip(0);
            race.start();
            course.run(race, stores);
        }
    }

    private static Experiment.Reader reader(List<Rows> stores) {
        CheckReads reads = new CheckReads();
        return new Experiment.Reader(
                Map.of(
                        IdentifierKind.USERNAME,
                        new DatabaseCheck(
                                UsernameNormalizer.defaults(), ReservedNames.none(), List.of(stores.get(0)), reads),
                        IdentifierKind.PHONE,
                        new DatabaseCheck(
                                PhoneNumberNormalizer.forRegion("CN"),
                                ReservedNames.none(),
                                List.of(stores.get(1)),
                                reads)),
                reads);
    }

    private static long number(Race race, String name) {
        return ((Number) race.json().getOrDefault(name, 0)).longValue();
    }

    private static long number(Race race, String lane, String name) {
        return number(race.json(), lane, name);
    }

    @SuppressWarnings("unchecked")
    private static long number(Map<String, Object> race, String lane, String name) {
        Map<String, Map<String, Object>> lanes =
                (Map<String, Map<String, Object>>) race.getOrDefault("lanes", Map.of());
        return ((Number) lanes.getOrDefault(lane, Map.of()).getOrDefault(name, 0)).longValue();
    }

    private static void untilManyAreAsked(Race race) {
        Eventually.holds("many checks", () -> {
            race.watch();
            return number(race, "checks") > MANY && number(race, "database", "passed") > MANY;
        });
    }

    @Test
    void countsTheQueriesOfBothLanesAndNothingWrong() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            assertThat(number(race, "wrong")).isZero();
            long passed = number(race, "database", "passed");
            assertThat(number(race, "database", "queries")).isGreaterThanOrEqualTo(passed);
            assertThat(number(race, "database", "fromMemory")).isZero();
            long checks = number(race, "checks");
            assertThat(number(race, "untaken", "queries")).isBetween(checks / 10, checks * 2);
            assertThat(number(race, "withoutDatabase")).isGreaterThan(checks / 2);
        });
    }

    @Test
    void bothLanesHaveAlwaysAnsweredEquallyMany() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            Eventually.holds("many checks", () -> {
                race.watch();
                Map<String, Object> now = race.json();
                assertThat(number(now, "database", "asked")).isEqualTo(number(now, "untaken", "asked"));
                return number(now, "untaken", "asked") > MANY;
            });
        });
    }

    /** Every tenth row is hidden from the scan, so memory calls it free. */
    @Test
    void countsEachSeededNameThatIsCalledFree() throws Exception {
        race(i -> true, i -> i % 10 != 0, (race, stores) -> {
            untilManyAreAsked(race);
            assertThat(number(race, "wrong")).isPositive();
        });
    }

    @Test
    void aRowThatSomebodyHasDeletedMayBeCalledFree() throws Exception {
        race(i -> i % 10 != 0, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            assertThat(number(race, "wrong")).isZero();
        });
    }

    @Test
    void withoutTheDatabaseOnlyTheSecondLaneGoesOn() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            stores.forEach(store -> store.stopped = true);
            race.startOver();
            untilManyAreAsked(race);
            assertThat(number(race, "database", "unanswered")).isPositive();
            race.startOver();
            untilManyAreAsked(race);
            assertThat(number(race, "database", "unanswered")).isGreaterThanOrEqualTo(MANY);
            assertThat(number(race, "database", "queries")).isZero();
            assertThat(number(race, "withoutDatabase")).isGreaterThan(MANY / 2);
            assertThat(number(race, "freeWhileStopped")).isGreaterThan(MANY / 2);
            assertThat(number(race, "wrong")).isZero();
        });
    }

    @Test
    void tellsFreeNamesFromTakenOnes() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            Map<String, Object> now = race.json();
            long free = ((Number) now.getOrDefault("free", 0)).longValue();
            long taken = ((Number) now.getOrDefault("taken", 0)).longValue();
            assertThat(free + taken).isEqualTo(number(now, "untaken", "passed"));
            assertThat(free).isGreaterThan(2 * taken);
            assertThat(taken).isPositive();
            long withoutDatabase = ((Number) now.getOrDefault("withoutDatabase", 0)).longValue();
            assertThat(((Number) now.getOrDefault("queriesOfFree", 0)).longValue())
                    .as("one for each false alarm, and no other")
                    .isEqualTo(free - withoutDatabase)
                    .isLessThan(10);
            assertThat(number(now, "untaken", "queries")).isGreaterThanOrEqualTo(taken);
        });
    }

    /** Of the lane whose every answer is on its way, and of the other's taken names; what is free does not travel. */
    @Test
    void onlyWhoeverAsksTheDatabaseWaitsForTheRoundTrip() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            race.setRoundTrip(2_000);
            race.startOver();
            Eventually.holds("some of each", () -> {
                race.watch();
                return number(race, "taken") > 20;
            });
            Map<String, Object> now = race.json();
            for (String[] slow : new String[][] {{"database", "free"}, {"database", "taken"}, {"untaken", "taken"}}) {
                assertThat(median(now, slow[0], slow[1]))
                        .as(String.join(" ", slow))
                        .isGreaterThan(2_000);
            }
            assertThat(median(now, "untaken", "free")).isLessThan(1_000);
        });
    }

    @SuppressWarnings("unchecked")
    private static double median(Map<String, Object> race, String lane, String sort) {
        Map<String, Map<String, Map<String, Double>>> lanes =
                (Map<String, Map<String, Map<String, Double>>>) race.getOrDefault("lanes", Map.of());
        return lanes.getOrDefault(lane, Map.of()).getOrDefault(sort, Map.of()).getOrDefault("p50Micros", Double.NaN);
    }

    @Test
    void waitsWhileSomethingElseHasTheTurn() throws Exception {
        race(i -> true, i -> true, (race, stores) -> {
            untilManyAreAsked(race);
            assertThat(turn.take("an experiment")).isTrue();
            long before = number(race, "untaken", "asked");
            race.watch();
            assertThat(number(race, "untaken", "asked")).isEqualTo(before);
            turn.leave();
            Eventually.holds("the race goes on", () -> {
                race.watch();
                return number(race, "untaken", "asked") > before;
            });
        });
    }

    @Test
    void bothLanesGetTheSameChecksInEachBlock() {
        Supplier<Integer> first = Race.inBlocks(counting(), 0);
        Supplier<Integer> second = Race.inBlocks(counting(), 4_096);
        for (int block = 0; block < 3; block++) {
            List<Integer> of = new ArrayList<>();
            List<Integer> other = new ArrayList<>();
            for (int i = 0; i < 8_192; i++) {
                of.add(first.get());
                other.add(second.get());
            }
            assertThat(of.get(0)).isEqualTo(8_192 * block);
            assertThat(other.get(0)).isEqualTo(8_192 * block + 4_096);
            Collections.sort(other);
            assertThat(other).isEqualTo(of);
        }
    }

    private static Supplier<Integer> counting() {
        int[] next = {0};
        return () -> next[0]++;
    }
}

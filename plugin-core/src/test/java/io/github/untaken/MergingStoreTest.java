package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that holds texts equal whose keys differ, as the default collations of MySQL and MariaDB do: memory folds as it does. */
class MergingStoreTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Pattern MARKS = Pattern.compile("\\p{M}");

    /** Holds 'josé', 'JOSE' and 'jose' equal. */
    private static class Merging implements RegisteredIdentifierStore.Grouping {
        final Set<String> rows = new ConcurrentSkipListSet<>();
        final AtomicInteger scans = new AtomicInteger();
        volatile boolean capitalsCount;

        String weight(String text) {
            String bare = MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD))
                    .replaceAll("");
            return capitalsCount ? bare : bare.toLowerCase(Locale.ROOT);
        }

        @Override
        public Presence exists(String text, Duration timeout) {
            return Presence.of(rows.stream().anyMatch(row -> weight(row).equals(weight(text))));
        }

        @Override
        public void scan(Consumer<String> values) {
            rows.forEach(values);
            scans.incrementAndGet();
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription(
                    "users.username",
                    true,
                    "accents count for nothing",
                    getClass().getSimpleName() + (capitalsCount ? ", capitals count" : ""));
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> weight(pair.left()).equals(weight(pair.right())))
                    .toList();
        }

        @Override
        public List<List<Integer>> heldEqualAmong(List<String> values) {
            Map<String, List<Integer>> sets = new HashMap<>();
            for (int i = 0; i < values.size(); i++) {
                sets.computeIfAbsent(weight(values.get(i)), first -> new ArrayList<>(1))
                        .add(i);
            }
            return sets.values().stream().filter(set -> set.size() > 1).toList();
        }
    }

    /** As Swedish collations have it: '\u00fc' is a 'y'. */
    private static final class Swedish extends Merging {
        @Override
        String weight(String text) {
            return super.weight(text.replace('\u00fc', 'y').replace('\u00dc', 'y'));
        }
    }

    /** Blanks at the end count for nothing, as in a column of type CHAR. */
    private static final class Padding extends Merging {
        @Override
        String weight(String text) {
            return super.weight(text.stripTrailing());
        }
    }

    /** A plus sign counts for nothing. */
    private static final class WithoutPluses extends Merging {
        @Override
        String weight(String text) {
            return super.weight(text.replace("+", ""));
        }
    }

    /** Remembers how much it was asked at once; of a name of its own, so that no other test has had its letters drawn. */
    private static final class Counted extends Merging {
        private final AtomicInteger most = new AtomicInteger();

        @Override
        public List<List<Integer>> heldEqualAmong(List<String> values) {
            most.accumulateAndGet(values.size(), Math::max);
            return super.heldEqualAmong(values);
        }
    }

    private final Merging store = new Merging();

    private static AvailabilityChecker checker(RegisteredIdentifierStore... stores) {
        return checker(UsernameNormalizer.defaults(), stores);
    }

    private static AvailabilityChecker checker(UsernameNormalizer names, RegisteredIdentifierStore... stores) {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder().singleWriter(false);
        for (RegisteredIdentifierStore store : stores) {
            builder.store(USERNAME, store);
        }
        AvailabilityChecker checker = builder.normalizer(USERNAME, names)
                .reserved(USERNAME, ReservedNames.none())
                .recheckTimeout(Duration.ofSeconds(20))
                .tick(CheckerFixture.TICK)
                .linger(CheckerFixture.TICK)
                .build();
        eventually(() -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    private static boolean isFree(AvailabilityChecker checker, String name) {
        return checker.check(USERNAME, name).available();
    }

    private static void assertTakenInEverySpelling(AvailabilityChecker checker) {
        for (String spelling : List.of("jose", "JOSE", "jos\u00e9", "Jos\u00e8", "jose\u0301")) {
            assertThat(isFree(checker, spelling)).as(spelling).isFalse();
        }
        assertThat(checker.check(USERNAME, "anna7").decidedBy()).isEqualTo(DecidedBy.FILTER);
        assertThat(checker.check(USERNAME, "\u00e5nna7").decidedBy()).isEqualTo(DecidedBy.FILTER);
    }

    @Test
    void aStoredNameBlocksWhateverIsHeldEqualAndOthersAreFreeFromMemory() {
        store.rows.add("Jos\u00e9");
        try (AvailabilityChecker checker = checker(store)) {
            assertTakenInEverySpelling(checker);
        }
    }

    @Test
    void whereCapitalsCountATextIsTakenThoughItsKeyIsFree() {
        store.capitalsCount = true;
        store.rows.add("Jos\u00e9");
        try (AvailabilityChecker checker = checker(store)) {
            assertThat(isFree(checker, "Jose")).isFalse();
            assertThat(checker.check(USERNAME, "jose").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }
    }

    /** The policy lets a name end with one, so such a name is its own key. */
    @Test
    void aBlankAtTheEndMakesNoOtherNameWhereItCountsForNothing() {
        UsernameNormalizer withBlanks =
                UsernameNormalizer.builder().characters(c -> true).build();
        Merging padding = new Padding();
        padding.rows.add("christopher");
        try (AvailabilityChecker checker = checker(withBlanks, padding)) {
            assertThat(isFree(checker, "christopher ")).isFalse();
            assertThat(checker.check(USERNAME, "christophe ").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }
    }

    @Test
    void aCharacterThatCountsForNothingMakesNoOtherName() {
        UsernameNormalizer withPluses = UsernameNormalizer.builder()
                .characters(c -> c == '+' || Character.isLetterOrDigit(c))
                .build();
        Merging ignoring = new WithoutPluses();
        ignoring.rows.add("annamaria12");
        try (AvailabilityChecker checker = checker(withPluses, ignoring)) {
            assertThat(isFree(checker, "anna+maria12")).isFalse();
            assertThat(checker.check(USERNAME, "anna+maria13").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }
    }

    @Test
    void aNameThatIsToldBlocksWhateverIsHeldEqualAndCostsNoScan() {
        try (AvailabilityChecker checker = checker(store)) {
            int scans = store.scans.get();
            try (Announcement announced = checker.registrations().announce(USERNAME, "jos\u00e8")) {
                assertThat(announced).isNotNull();
                store.rows.add("jos\u00e8");
                assertTakenInEverySpelling(checker);
            }
            assertTakenInEverySpelling(checker);
            assertThat(store.scans).hasValue(scans);
        }
    }

    /** Before the request has ended nobody knows whether it is there. */
    @Test
    void whileARequestMentionsANameTheDatabaseAnswersForWhateverItHoldsEqual() {
        try (AvailabilityChecker checker = checker(store)) {
            try (Announcement watched = checker.registrations().watch(USERNAME, "jos\u00e9")) {
                assertThat(watched).isNotNull();
                assertThat(checker.check(USERNAME, "jose").decidedBy()).isEqualTo(DecidedBy.STORE);
                store.rows.add("jos\u00e9");
                assertTakenInEverySpelling(checker);
            }
            eventually(() -> checker.stats(USERNAME).underWay().mentioned() == 0);
            assertTakenInEverySpelling(checker);
        }
    }

    /** A text is written to one of them, and nobody says to which. */
    @Tag("ci")
    @Test
    void ofSeveralTablesWhateverOneOfThemHoldsEqualIsNotMissed() {
        for (boolean swedishFirst : List.of(true, false)) {
            Merging other = new Merging();
            Swedish swedish = new Swedish();
            try (AvailabilityChecker checker = swedishFirst ? checker(swedish, other) : checker(other, swedish)) {
                try (Announcement announced = checker.registrations().announce(USERNAME, "T\u00fcr")) {
                    assertThat(announced).isNotNull();
                    swedish.rows.add("T\u00fcr");
                }
                assertThat(isFree(checker, "tyr"))
                        .as("Swedish first: %s", swedishFirst)
                        .isFalse();
            }
        }
    }

    /** As 32 shards of one table; what each of them was asked took seconds. */
    @Test
    void ofTablesThatCompareAlikeOneIsAskedForEveryCharacterThereIs() {
        Counted first = new Counted();
        Counted second = new Counted();
        second.rows.add("jos\u00e9");
        try (AvailabilityChecker checker = checker(first, second)) {
            assertThat(List.of(first.most.get(), second.most.get()))
                    .filteredOn(most -> most > 100_000)
                    .hasSize(1);
            assertThat(List.of(first.most.get(), second.most.get()))
                    .as("tried before the scan")
                    .allMatch(most -> most > 100);
            assertTakenInEverySpelling(checker);
        }
    }

    @Test
    void aColumnThatBeginsToCompareOtherwiseIsFoldedOtherwiseFromTheNextScanOn() {
        store.rows.add("Jos\u00e9");
        store.capitalsCount = true;
        try (AvailabilityChecker checker = checker(store)) {
            assertThat(isFree(checker, "Jose")).isFalse();
            assertThat(isFree(checker, "JOSE")).isTrue();
            store.capitalsCount = false;
            int scans = store.scans.get();
            checker.rescan(USERNAME);
            eventually(() -> !checker.stats(USERNAME).reason().isEmpty()
                    || store.scans.get() > scans
                            && checker.stats(USERNAME).scans().progress().isEmpty()
                            && checker.state(USERNAME) == KindState.READY);
            assertThat(checker.stats(USERNAME).reason()).isEmpty();
            assertTakenInEverySpelling(checker);
        }
    }
}

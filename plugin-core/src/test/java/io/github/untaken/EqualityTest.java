package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.store.Equality;
import io.github.untaken.store.Stores;
import java.text.Collator;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A kind answers from memory only if its database compares no coarser than its keys. */
class EqualityTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final long SEED = Seed.of(EqualityTest.class, 20261128);

    /** A database that compares by any rule, and finds rows by it. */
    private static final class ComparingStore extends RowsStore implements RegisteredIdentifierStore.Comparing {
        private volatile BiPredicate<String, String> collation;
        private final boolean unique;
        private final List<ValuePair> asked = new ArrayList<>();

        ComparingStore(BiPredicate<String, String> collation, boolean unique) {
            this.collation = collation;
            this.unique = unique;
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            return Presence.of(rows.stream().anyMatch(row -> collation.test(row, key)));
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("users.username", unique, "made_up_ci", "made up");
        }

        @Override
        public synchronized List<Boolean> heldEqual(List<ValuePair> pairs) {
            asked.addAll(pairs);
            return pairs.stream()
                    .map(pair -> collation.test(pair.left(), pair.right()))
                    .toList();
        }

        synchronized List<ValuePair> asked() {
            return List.copyOf(asked);
        }
    }

    private static Equality equality(IdentifierKind kind, IdentifierNormalizer normalizer) {
        return new Equality(kind, normalizer, new SplittableRandom(SEED));
    }

    private static Optional<String> objection(Equality equality, BiPredicate<String, String> collation) {
        return equality.look(new Stores(List.of(new ComparingStore(collation, true))))
                .objection();
    }

    private static AvailabilityChecker checker(ComparingStore store) {
        return AvailabilityChecker.builder()
                .singleWriter(false)
                .store(USERNAME, store)
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    /** Objected to, and scanned: before the scan it is warming up. */
    private static void awaitObjection(AvailabilityChecker checker) {
        eventually(() -> checker.state(USERNAME) == KindState.DEGRADED);
    }

    @Test
    void aDatabaseThatComparesExactlyIsTrusted() {
        try (AvailabilityChecker checker = checker(new ComparingStore(String::equals, true))) {
            eventually(() -> checker.state(USERNAME) == KindState.READY);
        }
    }

    @Test
    void aDatabaseThatIgnoresCaseIsTrustedForTheKeyDoesToo() {
        try (AvailabilityChecker checker = checker(new ComparingStore(String::equalsIgnoreCase, true))) {
            eventually(() -> checker.state(USERNAME) == KindState.READY);
        }
    }

    @Test
    void aDatabaseThatIgnoresAccentsAnswersItself() {
        ComparingStore store = new ComparingStore((a, b) -> bare(a).equals(bare(b)), true);
        store.rows.add("jos\u00e9");
        try (AvailabilityChecker checker = checker(store)) {
            awaitObjection(checker);

            assertThat(checker.stats(USERNAME).reason())
                    .contains("users.username", "made_up_ci", "their keys differ", "binary collation");
            assertThat(checker.check(USERNAME, "jose").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "joana").status()).isEqualTo(Status.AVAILABLE);
        }
    }

    private static String bare(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{Mn}", "");
    }

    /** Its unique index refuses "Jose" beside "Jos\u00e9", and not "jose"; whoever stores names as typed has typed "Jose". */
    @Test
    void aDatabaseThatIgnoresAccentsAndNoCaseIsAskedForWhatWasTyped() {
        UnaryOperator<String> bare =
                text -> Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
        ComparingStore store =
                new ComparingStore((left, right) -> bare.apply(left).equals(bare.apply(right)), true);
        store.rows.add("Jos\u00e9");
        try (AvailabilityChecker checker = checker(store)) {
            awaitObjection(checker);
            assertThat(checker.check(USERNAME, "jose").available())
                    .as("may be registered")
                    .isTrue();
            assertThat(checker.check(USERNAME, "Jose"))
                    .matches(verdict -> verdict.status() == Status.TAKEN
                            && verdict.decidedBy() == Verdict.DecidedBy.STORE
                            && verdict.key().equals("jose"));
            assertThat(checker.latest(USERNAME, "Jose").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.checkAll(USERNAME, List.of("Anna", "Jose", "jose", "Eve")).stream()
                            .map(Verdict::available))
                    .containsExactly(true, false, true, true);
        }
    }

    @Test
    void blanksAtTheEndThatTheDatabaseTakesForNothingMakeNoDifference() {
        ComparingStore store = new ComparingStore((a, b) -> stripped(a).equals(stripped(b)), true);
        store.rows.add("alice ");
        try (AvailabilityChecker checker = checker(store)) {
            eventually(() -> checker.state(USERNAME) == KindState.READY);
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    private static String stripped(String text) {
        return text.replaceAll(" +$", "");
    }

    @Test
    void aCollationThatWasMendedIsTrustedAfterTheNextRescan() {
        ComparingStore store = new ComparingStore((a, b) -> bare(a).equals(bare(b)), true);
        try (AvailabilityChecker checker = checker(store)) {
            awaitObjection(checker);

            store.collation = String::equals;
            checker.rescan(USERNAME);

            eventually(() -> checker.state(USERNAME) == KindState.READY);
        }
    }

    @Test
    void aCollationThatWasSpoiltIsNoLongerTrustedAfterTheNextRescan() {
        ComparingStore store = new ComparingStore(String::equals, true);
        try (AvailabilityChecker checker = checker(store)) {
            eventually(() -> checker.state(USERNAME) == KindState.READY);

            store.collation = (a, b) -> bare(a).equals(bare(b));
            checker.rescan(USERNAME);

            eventually(() -> checker.state(USERNAME) == KindState.DEGRADED);
        }
    }

    /** Four strengths of a real collator: whatever it holds equal has one key, or the kind does not answer from memory. */
    @ParameterizedTest
    @ValueSource(ints = {Collator.PRIMARY, Collator.SECONDARY, Collator.TERTIARY, Collator.IDENTICAL})
    void whateverTheDatabaseHoldsEqualHasOneKeyOrIsObjectedTo(int strength) {
        Collator collator = Collator.getInstance(Locale.GERMANY);
        collator.setStrength(strength);
        collator.setDecomposition(Collator.FULL_DECOMPOSITION);
        ComparingStore store = new ComparingStore((a, b) -> collator.compare(a, b) == 0, true);
        IdentifierNormalizer normalizer = UsernameNormalizer.defaults();

        Optional<String> objection =
                equality(USERNAME, normalizer).look(new Stores(List.of(store))).objection();

        boolean coarser = store.asked().stream()
                .anyMatch(pair -> collator.compare(pair.left(), pair.right()) == 0
                        && !normalizer.key(pair.left()).equals(normalizer.key(pair.right())));
        assertThat(objection.isPresent()).isEqualTo(coarser);
        assertThat(coarser).isEqualTo(strength < Collator.IDENTICAL);
    }

    /** As a unique index on something computed of the name can have it. */
    static Stream<UnaryOperator<String>> formulas() {
        return Stream.of(
                name -> name.replace('0', 'o'),
                name -> name.replace('1', 'l'),
                name -> name.replace("rn", "m"),
                name -> name.replaceAll("[0-9]+$", ""),
                name -> name.substring(0, Math.min(name.length(), 20)));
    }

    @ParameterizedTest
    @MethodSource("formulas")
    void aUniqueIndexThatHoldsNamesEqualWhichLookAlikeIsNoticed(UnaryOperator<String> formula) {
        ComparingStore store = new ComparingStore((a, b) -> formula.apply(a).equals(formula.apply(b)), true);
        try (AvailabilityChecker checker = checker(store)) {
            awaitObjection(checker);
        }
    }

    @Test
    void manyDifferencesAreTriedForUserNames() {
        ComparingStore store = new ComparingStore(String::equals, true);
        Equality.Finding unused =
                equality(USERNAME, UsernameNormalizer.defaults()).look(new Stores(List.of(store)));

        // The rest have one key already, so that the database may hold them equal.
        assertThat(store.asked().stream().map(pair -> pair.left() + '/' + pair.right()))
                .hasSizeGreaterThan(60);
    }

    @Test
    void aPairThatNobodyMayTypeIsNoObjection() {
        IdentifierNormalizer digitsOnly = new IdentifierNormalizer() {
            @Override
            public String key(String value) {
                return value;
            }

            @Override
            public Optional<String> rejection(String text, String key) {
                return text.chars().allMatch(c -> c == '+' || c >= '0' && c <= '9')
                        ? Optional.empty()
                        : Optional.of("no_number");
            }
        };
        Equality equality = equality(IdentifierKind.PHONE, digitsOnly);

        assertThat(objection(equality, String::equalsIgnoreCase)).isEmpty();
        assertThat(objection(equality, (a, b) -> a.replace("7", "").equals(b.replace("7", ""))))
                .isPresent();
    }

    @Test
    void aColumnWithoutAUniqueConstraintIsWarnedAboutOnce() {
        try (Told told = new Told()) {
            Equality equality = equality(USERNAME, UsernameNormalizer.defaults());
            Stores stores = new Stores(List.of(new ComparingStore(String::equals, false)));
            for (int i = 0; i < 2; i++) {
                assertThat(equality.look(stores).objection()).isEmpty();
            }
            assertThat(told.lines())
                    .filteredOn(line -> line.contains("no unique constraint on users.username"))
                    .hasSize(1);
        }
    }
}

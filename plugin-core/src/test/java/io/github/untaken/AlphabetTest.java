package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.normalize.EmailNormalizer;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A database that merges accents, under a policy whose new names have none. */
class AlphabetTest {
    private static final IdentifierKind USERNAME = new IdentifierKind("username");
    private static final IdentifierNormalizer ASCII =
            UsernameNormalizer.builder().characters(c -> c < 128).build();

    /** Holds 'josé' and 'jose' equal. */
    private static class Merging implements RegisteredIdentifierStore.Folding {
        final Set<String> rows = new ConcurrentSkipListSet<>();
        final AtomicInteger scans = new AtomicInteger();
        private volatile Optional<String> objection = Optional.empty();
        private volatile boolean pads;
        private volatile boolean deliversMerged = true;

        private String padded(String value) {
            return pads ? equal(value).stripTrailing() : equal(value);
        }

        /** The text of the alphabet that it holds equal. */
        String equal(String value) {
            return merged(value);
        }

        static String merged(String value) {
            return Normalizer.normalize(value, Normalizer.Form.NFD)
                    .replaceAll("\\p{M}", "")
                    .toLowerCase(Locale.ROOT);
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            return Presence.of(rows.stream().anyMatch(row -> padded(row).equals(padded(key))));
        }

        @Override
        public void scan(Consumer<String> values) {
            scans.incrementAndGet();
            for (String row : rows) {
                values.accept(row);
                if (deliversMerged) {
                    values.accept(padded(row));
                }
            }
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("users.username", true, "accents count for nothing");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> padded(pair.left()).equals(padded(pair.right())))
                    .toList();
        }

        @Override
        public Optional<String> foldInto(String alphabet) {
            return objection;
        }

        @Override
        public List<Set<String>> foldedEach(List<String> values) {
            return values.stream().map(value -> Set.of(padded(value))).toList();
        }
    }

    private static final IdentifierNormalizer WITHOUT_ACCENTS = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return Merging.merged(value);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }

        @Override
        public Optional<String> alphabet() {
            return ASCII.alphabet();
        }
    };

    /** As Swedish collations have it: '\u00fc' is a 'y'. */
    private static final class Swedish extends Merging {
        @Override
        String equal(String value) {
            return merged(value.replace("\u00fc", "y"));
        }
    }

    private final Merging store = new Merging();

    private AvailabilityChecker checker(IdentifierNormalizer normalizer) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, store)
                .normalizer(USERNAME, normalizer)
                .recheckTimeout(Duration.ofSeconds(20))
                .tick(CheckerFixture.TICK)
                .linger(CheckerFixture.TICK)
                .build();
        await("the first scan", () -> checker.stats(USERNAME).state() != KindState.WARMING);
        return checker;
    }

    private static void await(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > 60_000_000_000L) {
                throw new WaitedInVain(what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isFree(AvailabilityChecker checker, String name) {
        return checker.check(USERNAME, name).available();
    }

    private static void awaitReady(AvailabilityChecker checker) {
        await("the scan", () -> checker.stats(USERNAME).state() == KindState.READY);
    }

    @Test
    void theReasonNamesWhatGivesNewNamesSuchAnAlphabet() {
        assertThat(reason(USERNAME, UsernameNormalizer.defaults()))
                .endsWith(
                        "lets new names consist of ASCII characters alone (untaken.policy.username.characters=ascii, in"
                                + " code UsernameNormalizer.builder().ascii())");
        assertThat(reason(IdentifierKind.EMAIL, EmailNormalizer.defaults()))
                .endsWith("lets new names consist of ASCII characters alone (untaken.policy.email.characters=ascii, in"
                        + " code EmailNormalizer.ascii())");
        // Under the rules of names all addresses would be invalid, and the other way round.
        assertThat(reason(IdentifierKind.of("second-email"), EmailNormalizer.defaults()))
                .endsWith("ASCII characters alone");
        assertThat(reason(IdentifierKind.EMAIL, UsernameNormalizer.defaults())).endsWith("ASCII characters alone");
        IdentifierNormalizer notes = UsernameNormalizer.builder()
                .characters(c -> "abce\u00e9".indexOf(c) >= 0)
                .build();
        assertThat(reason(IdentifierKind.of("tune"), notes)).endsWith("ASCII characters alone");
    }

    private static String reason(IdentifierKind kind, IdentifierNormalizer normalizer) {
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(kind, new Merging())
                .normalizer(kind, normalizer)
                .build()) {
            await("the first scan", () -> checker.stats(kind).state() != KindState.WARMING);
            return checker.stats(kind).reason();
        }
    }

    @Test
    void aStoredNameOfOtherCharactersBlocksTheOneItIsEqualTo() {
        store.rows.add("jos\u00e9");
        try (AvailabilityChecker checker = checker(ASCII)) {
            awaitReady(checker);
            assertThat(isFree(checker, "jose")).isFalse();
            assertThat(checker.check(USERNAME, "anna7").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);
        }
    }

    @Test
    void addressesOfAsciiAreAnsweredFromMemoryAndBlockedByThoseTheyAreEqualTo() {
        store.rows.add("zo\u00eb@example.com");
        store.rows.add("Ann@B\u00fccher.example");
        try (AvailabilityChecker checker = checker(EmailNormalizer.ascii())) {
            awaitReady(checker);
            for (String stored : List.of("zoe@example.com", "ann@bucher.example", "ann@xn--bcher-kva.example")) {
                assertThat(isFree(checker, stored)).as(stored).isFalse();
            }
            assertThat(checker.check(USERNAME, "anna+7@example.com").decidedBy())
                    .isEqualTo(Verdict.DecidedBy.FILTER);
        }
    }

    @Test
    void aNameOfOtherCharactersThatIsWrittenIsNotMissedWhileNobodyKnowsWhatItEquals() {
        try (AvailabilityChecker checker = checker(ASCII)) {
            awaitReady(checker);
            try (Announcement announced = checker.registrations().announce(USERNAME, "jos\u00e9")) {
                assertThat(announced).isNotNull();
                store.rows.add("jos\u00e9");
                assertThat(isFree(checker, "jose")).isFalse();
            }
            assertThat(isFree(checker, "jose")).isFalse();
            awaitReady(checker);
            assertThat(isFree(checker, "jose")).isFalse();
            assertThat(isFree(checker, "anna7")).isTrue();
        }
    }

    @Test
    void aRequestThatRegistersOneIsFollowedByAScanAndOneThatDoesNotIsNot() {
        try (AvailabilityChecker checker = checker(ASCII)) {
            awaitReady(checker);
            int scans = store.scans.get();
            long reads = checker.stats(USERNAME).reads().made();
            checker.registrations().watch(USERNAME, "andr\u00e9").close();
            await("the reads", () -> checker.stats(USERNAME).reads().made() > reads);
            assertThat(store.scans).hasValue(scans);
            try (Announcement watched = checker.registrations().watch(USERNAME, "jos\u00e9")) {
                assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.READY);
                store.rows.add("jos\u00e9");
            }
            await("the loss of trust", () -> store.scans.get() > scans);
            awaitReady(checker);
            assertThat(isFree(checker, "jose")).isFalse();
            assertThat(isFree(checker, "andre")).isTrue();
        }
    }

    /** Before the request has ended nobody knows whether it is there, nor what it would be equal to. */
    @Test
    void whileARequestMentionsOneTheDatabaseAnswersForAllNames() {
        try (AvailabilityChecker checker = checker(ASCII)) {
            awaitReady(checker);
            int scans = store.scans.get();
            try (Announcement watched = checker.registrations().watch(USERNAME, "jos\u00e9")) {
                assertThat(watched).isNotNull();
                store.rows.add("jos\u00e9");
                assertThat(isFree(checker, "jose")).isFalse();
                assertThat(checker.check(USERNAME, "anna7").decidedBy()).isEqualTo(Verdict.DecidedBy.STORE);
            }
            assertThat(isFree(checker, "jose")).isFalse();
            await("the loss of trust", () -> store.scans.get() > scans);
            awaitReady(checker);
            assertThat(isFree(checker, "jose")).isFalse();
            await("the end", () -> checker.check(USERNAME, "anna7").decidedBy() == Verdict.DecidedBy.FILTER);
        }
    }

    @Test
    void whatTheDatabaseHoldsEqualToItsOwnKeyIsNothingToScanFor() {
        try (AvailabilityChecker checker = checker(WITHOUT_ACCENTS)) {
            awaitReady(checker);
            try (Announcement announced = checker.registrations().announce(USERNAME, "Jos\u00e9")) {
                assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.READY);
                assertThat(announced).isNotNull();
                store.rows.add("Jos\u00e9");
            }
            assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.READY);
            assertThat(isFree(checker, "jose")).isFalse();
            // Its key is a letter with a stroke, which this database does not take for an o.
            try (Announcement announced = checker.registrations().announce(USERNAME, "bj\u00f8rn")) {
                assertThat(announced).isNotNull();
                assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.DEGRADED);
            }
        }
    }

    /** What the one holds equal to its own key, the other holds equal to another, whichever of them was asked last. */
    @Test
    void ofSeveralTablesEachMustHoldAValueEqualToItsOwnKey() {
        for (boolean swedishFirst : List.of(true, false)) {
            Merging other = new Merging();
            Swedish swedish = new Swedish();
            AvailabilityChecker checker = AvailabilityChecker.builder()
                    .store(USERNAME, swedishFirst ? swedish : other)
                    .store(USERNAME, swedishFirst ? other : swedish)
                    .normalizer(USERNAME, WITHOUT_ACCENTS)
                    .tick(CheckerFixture.TICK)
                    .linger(CheckerFixture.TICK)
                    .build();
            try (checker) {
                awaitReady(checker);
                try (Announcement announced = checker.registrations().announce(USERNAME, "T\u00fcr")) {
                    assertThat(announced).isNotNull();
                    swedish.rows.add("T\u00fcr");
                    assertThat(isFree(checker, "tyr"))
                            .as("Swedish first: %s", swedishFirst)
                            .isFalse();
                }
                try (Announcement announced = checker.registrations().announce(USERNAME, "Jos\u00e9")) {
                    assertThat(announced).isNotNull();
                    awaitReady(checker);
                }
            }
        }
    }

    @Test
    void namesOfTheAlphabetThatTheDatabaseMergesKeepMemoryFromAnswering() {
        store.objection = Optional.of("the database takes 'aa' for one letter");
        try (AvailabilityChecker checker = checker(ASCII)) {
            assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.DEGRADED);
            assertThat(checker.stats(USERNAME).reason())
                    .contains("users.username (accents count for nothing) the database takes 'aa' for one letter");
        }
    }

    /** The keys are names of this alphabet, and capitals no names at all. */
    @Test
    void keysThatTellCapitalsApartKeepMemoryFromAnswering() {
        IdentifierNormalizer exact = new IdentifierNormalizer() {
            @Override
            public String key(String value) {
                return value;
            }

            @Override
            public Optional<String> rejection(String text, String key) {
                return text.matches("[a-z]+") ? Optional.empty() : Optional.of("malformed");
            }

            @Override
            public Optional<String> alphabet() {
                return Optional.of("abcdefghijklmnopqrstuvwxyz");
            }
        };
        store.rows.add("ALICE");
        store.deliversMerged = false; // as a store does where all letters are those of the alphabet
        try (AvailabilityChecker checker = checker(exact)) {
            assertThat(isFree(checker, "alice")).isFalse();
            assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.DEGRADED);
        }
    }

    @Test
    void namesThatMayEndWithABlankWhichTheDatabaseIgnoresKeepMemoryFromAnswering() {
        store.pads = true;
        store.rows.add("alice");
        try (AvailabilityChecker checker = checker(ASCII)) {
            assertThat(isFree(checker, "alice ")).isFalse();
            assertThat(checker.stats(USERNAME).state()).isEqualTo(KindState.DEGRADED);
        }
    }

    @Test
    void aStoredBlankAtTheEndThatNewNamesMayNotHaveIsAsGoodAsAnyOtherCharacter() {
        store.pads = true;
        IdentifierNormalizer blanksInside = UsernameNormalizer.builder()
                .characters(c -> c < 128)
                .edges(c -> c != ' ')
                .build();
        try (AvailabilityChecker checker = checker(blanksInside)) {
            awaitReady(checker);
            try (Announcement announced = checker.registrations().announce(USERNAME, "alice ")) {
                assertThat(announced).isNotNull();
                store.rows.add("alice ");
                assertThat(isFree(checker, "alice")).isFalse();
            }
            awaitReady(checker);
            assertThat(isFree(checker, "alice")).isFalse();
        }
    }

    @Test
    void theAlphabetOfAPolicyIsThatOfItsKeys() {
        assertThat(UsernameNormalizer.defaults().alphabet()).isEmpty();
        assertThat(UsernameNormalizer.builder().ascii().build().alphabet())
                .contains("-.0123456789_abcdefghijklmnopqrstuvwxyz");
        assertThat(UsernameNormalizer.builder()
                        .characters(c -> c < 128 && Character.isLetter(c) || c == '_')
                        .build()
                        .alphabet())
                .contains("_abcdefghijklmnopqrstuvwxyz");
        assertThat(UsernameNormalizer.builder()
                        .characters(c -> c < 128 || c == '\u00e9')
                        .build()
                        .alphabet())
                .isEmpty();
        assertThat(UsernameNormalizer.builder()
                        .characters(c -> c < 128 || c == '\uff21')
                        .build()
                        .alphabet())
                .as("no key has a letter of full width")
                .isEqualTo(ASCII.alphabet());
    }
}

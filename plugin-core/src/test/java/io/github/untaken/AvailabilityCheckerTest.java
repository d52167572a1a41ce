package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.untaken.filter.FilterType;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AvailabilityCheckerTest {

    @Test
    void aCheckerWithoutAStoreIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> AvailabilityChecker.builder().singleWriter(false).build())
                .withMessageContaining("source(...)");
    }

    @Test
    void aKindWithoutANormalizerIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder()
                        .singleWriter(false)
                        .store(IdentifierKind.PHONE, new ScriptedStore())
                        .build())
                .withMessage("kind 'phone' has no normalizer: call normalizer(kind, ...)");
    }

    /** A column user_name has a kind of its own, and a normalizer alone would leave its names without the reserved ones. */
    @Test
    void aKindWithoutANormalizerLeadsToThatOfUserNames() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder()
                        .singleWriter(false)
                        .store(IdentifierKind.of("user-name"), new ScriptedStore())
                        .build())
                .withMessageContaining("'user-name' has no normalizer")
                .withMessageContaining("IdentifierTable.of(table, column, IdentifierKind.USERNAME)");
    }

    @Test
    void anEMailAddressNeedsNoNormalizerOfOnesOwn() {
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(IdentifierKind.EMAIL, new ScriptedStore())
                .build()) {
            assertThat(checker.key(IdentifierKind.EMAIL, "Ann@Example.COM")).isEqualTo("ann@example.com");
        }
    }

    @Test
    void namesReservedLaterAreRefusedFromTheNextCheckOnInAnySpelling() {
        try (CheckerFixture f = CheckerFixture.ready()) {
            assertThat(f.checker.check(KIND, "board").status()).isEqualTo(AVAILABLE);

            f.checker.reserve(KIND, ReservedNames.of(List.of("Board")));
            assertThat(f.checker.check(KIND, "BOARD").status()).isEqualTo(Verdict.Status.RESERVED);
            assertThat(f.checker.checkAll(KIND, List.of("board", "other")).stream()
                            .map(Verdict::status))
                    .containsExactly(Verdict.Status.RESERVED, AVAILABLE);

            f.checker.reserve(KIND, ReservedNames.none());
            assertThat(f.checker.check(KIND, "board").status()).isEqualTo(AVAILABLE);
        }
    }

    /** What is written after that nobody hears of. */
    @Test
    void whoeverTellsIsLetGoOnlyWhenNothingIsAnsweredFromMemoryAnyMore() {
        List<Verdict.Status> then = new ArrayList<>();
        AtomicReference<AvailabilityChecker> closing = new AtomicReference<>();
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .source(new IdentifierSource() {
                    @Override
                    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
                        return Map.of(
                                KIND, List.of(new ScriptedStore()), IdentifierKind.EMAIL, List.of(new ScriptedStore()));
                    }

                    @Override
                    public void connect(WriteSink sink) {}

                    @Override
                    public void disconnect() {
                        for (IdentifierKind kind : List.of(KIND, IdentifierKind.EMAIL)) {
                            then.add(closing.get()
                                    .checkInMemory(kind, "bob@example.com")
                                    .status());
                        }
                    }
                })
                .normalizer(KIND, LOWER_CASE)
                .build();
        closing.set(checker);
        eventually(
                () -> checker.state(KIND) == KindState.READY && checker.state(IdentifierKind.EMAIL) == KindState.READY);
        checker.close();
        assertThat(then).containsExactly(UNKNOWN, UNKNOWN);
    }

    @Test
    void aSettingOutOfRangeIsRefusedWithItsNameValueAndLimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AvailabilityChecker.builder().singleWriter(false).recheckThreads(0))
                .withMessage("recheckThreads must be from 1 to 256, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AvailabilityChecker.builder().singleWriter(false).recheckTimeout(Duration.ofHours(1)))
                .withMessage("recheckTimeout must be from PT0.001S to PT1M, but was PT1H");
    }

    @Test
    void aSettingGivenTwiceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder()
                        .singleWriter(false)
                        .recheckQueue(5)
                        .recheckQueue(6))
                .withMessage("recheckQueue was already set");
    }

    @Test
    void askingAboutAnUnknownKindNamesTheKnownOnes() {
        try (CheckerFixture f = CheckerFixture.ready()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> f.checker.check(IdentifierKind.EMAIL, "a@example.com"))
                    .withMessageContaining("'email'")
                    .withMessageContaining("[name]")
                    .withMessageNotContaining("example.com");
        }
    }

    @Test
    void tellsTheKeyOfAnyTextWithoutCountingACheck() {
        try (CheckerFixture f = CheckerFixture.ready()) {
            assertThat(f.checker.key(KIND, "Alice!")).isEqualTo("alice!");
            assertThat(f.stats().answers().checks()).isZero();
        }
    }

    @Test
    void aTextLongerThanAnyIdentifierIsRefusedUnread() {
        String longest = "a".repeat(65_536);
        AtomicInteger read = new AtomicInteger();
        IdentifierNormalizer counting = new IdentifierNormalizer() {
            @Override
            public String key(String value) {
                read.addAndGet(value.length());
                return value;
            }

            @Override
            public Optional<String> rejection(String text, String key) {
                return Optional.empty();
            }
        };
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, new ScriptedStore())
                .normalizer(KIND, counting)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            assertThat(checker.check(KIND, longest).status()).isEqualTo(AVAILABLE);
            read.set(0);
            String text = longest + "a";
            List<Verdict> verdicts = new ArrayList<>(checker.checkAll(KIND, List.of(text)));
            verdicts.add(checker.check(KIND, text));
            verdicts.add(checker.checkInMemory(KIND, text));
            verdicts.add(checker.latest(KIND, text));
            assertThat(verdicts)
                    .hasSize(4)
                    .allMatch(v -> v.status() == Verdict.Status.INVALID
                            && v.reason().equals(Optional.of("too_long"))
                            && v.key().equals(text));
            assertThat(read).hasValue(0);
        }
    }

    /** As it may stand in a row from before the column was limited. */
    @Test
    void aStoredValueOfAnyLengthHoldsItsName() {
        ScriptedStore store = new ScriptedStore("alice" + "\u0301".repeat(100_000));
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(IdentifierKind.USERNAME, store)
                .normalizer(
                        IdentifierKind.USERNAME,
                        UsernameNormalizer.builder().accentInsensitive().build())
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            eventually(() -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
            assertThat(checker.check(IdentifierKind.USERNAME, "Alice").status()).isEqualTo(TAKEN);
        }
    }

    /** The switch is put on when there are rows of before it, in which a name may have been written with any of them. */
    @Test
    void aNameIsTakenWithWhicheverApostropheItIsStored() {
        List<String> spellings = List.of("o'neil", "O\u2019Neil", "o\u02bcneil", "o\u05f3neil", "O\uff07neil");
        for (String stored : spellings) {
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .singleWriter(false)
                    .store(IdentifierKind.USERNAME, new ScriptedStore(stored))
                    .normalizer(
                            IdentifierKind.USERNAME,
                            UsernameNormalizer.builder().apostrophes(true).build())
                    .build()) {
                eventually(() -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
                for (String asked : spellings) {
                    assertThat(checker.check(IdentifierKind.USERNAME, asked).status())
                            .as("%s beside %s", spellings.indexOf(asked), spellings.indexOf(stored))
                            .isEqualTo(TAKEN);
                }
                assertThat(checker.check(IdentifierKind.USERNAME, "o'neill").status())
                        .isEqualTo(AVAILABLE);
            }
        }
    }

    @Test
    void aVerdictNeverShowsTheIdentifier() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            assertThat(f.check("alice").toString()).doesNotContain("alice").contains("TAKEN");
        }
    }

    @Test
    void reservedNamesAreComparedAfterFolding() {
        ScriptedStore store = new ScriptedStore();
        try (CheckerFixture f =
                CheckerFixture.ready(store, b -> b.reserved(KIND, ReservedNames.of(List.of("Admin", "ROOT"))))) {
            assertThat(f.check("aDMIN").status()).isEqualTo(Verdict.Status.RESERVED);
            assertThat(f.check("root").status()).isEqualTo(Verdict.Status.RESERVED);
            assertThat(f.check("rooty").status()).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aKindInTwoTablesIsTakenIfEitherHasItAndUnknownIfOneFails() {
        ScriptedStore people = new ScriptedStore("alice");
        ScriptedStore teams = new ScriptedStore("acme");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, people)
                .store(KIND, teams)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "acme").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "free").status()).isEqualTo(AVAILABLE);
            teams.failing(true);
            assertThat(checker.check(KIND, "acme").status()).isEqualTo(UNKNOWN);
        }
    }

    @ParameterizedTest
    @EnumSource(FilterType.class)
    void everyFilterKeepsThePromise(FilterType type) {
        ScriptedStore store = new ScriptedStore("alice", "bob");
        try (CheckerFixture f = CheckerFixture.ready(store, b -> b.filter(type))) {
            f.register("carol");
            assertThat(List.of("alice", "bob", "carol"))
                    .allSatisfy(name -> assertThat(f.status(name)).isEqualTo(TAKEN));
            assertThat(f.check("dave").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);
            store.delete("alice");
            assertThat(f.check("alice").decidedBy()).isEqualTo(Verdict.DecidedBy.STORE);
            assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == Verdict.DecidedBy.WHITELIST);
            assertThat(f.status("bob")).isEqualTo(TAKEN);
            f.register("alice");
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void theListenerHearsOfEachStoreReadAndWhoAskedForIt() {
        ScriptedStore store = new ScriptedStore("alice");
        List<String> asked = new CopyOnWriteArrayList<>();
        List<StoreRead> reads = new CopyOnWriteArrayList<>();
        CheckListener listener = new CheckListener() {
            @Override
            public Object storeAsked(IdentifierKind kind) {
                asked.add(Thread.currentThread().getName());
                return "asker " + asked.size();
            }

            @Override
            public void storeRead(IdentifierKind kind, StoreRead read) {
                reads.add(read);
            }
        };
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .listener(listener)
                .build()) {
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "nobody").status()).isEqualTo(AVAILABLE);
            assertThat(asked).as("answered from memory").isEmpty();
            assertThat(checker.checkAll(KIND, List.of("alice", "bob")).get(0).status())
                    .isEqualTo(TAKEN);
            assertThat(asked).containsExactly(Thread.currentThread().getName());
            assertThat(reads).hasSize(1);
            assertThat(reads.get(0))
                    .matches(read -> read.askers().equals(List.of("asker 1")) && read.keys() == 1 && read.succeeded());
            store.delete("alice");
            checker.registrations().watch(KIND, "alice").close();
            eventually(() -> reads.size() == 2);
            assertThat(reads.get(1).askers()).as("decides about a mention").isEmpty();
        }
    }

    @Test
    void countsWhatWentWrong() {
        ScriptedStore store = new ScriptedStore("alice");
        try (CheckerFixture f = CheckerFixture.ready(store, builder -> {})) {
            store.failing(true);
            assertThat(f.status("alice")).isEqualTo(UNKNOWN);
            KindStats stats = f.stats();
            assertThat(stats.reads().failed()).isEqualTo(1);
            assertThat(stats.answers().refused()).isZero();
            assertThat(stats.answers().timedOut()).isZero();
            assertThat(stats.scans().failed()).isZero();
            f.checker.rescan(KIND);
            eventually(() -> f.stats().scans().failed() > 0);
            assertThat(f.stats().reads().waiting()).isZero();
        }
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        ScriptedStore store = new ScriptedStore("alice");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .listener(new CheckListener() {
                    @Override
                    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy by) {
                        throw new IllegalStateException("a metric is broken");
                    }

                    @Override
                    public Object storeAsked(IdentifierKind kind) {
                        throw new IllegalStateException("a metric is broken");
                    }

                    @Override
                    public void storeRead(IdentifierKind kind, StoreRead read) {
                        throw new IllegalStateException("a metric is broken");
                    }

                    @Override
                    public void stateChanged(IdentifierKind kind, KindState state, String reason) {
                        throw new IllegalStateException("a metric is broken");
                    }
                })
                .build()) {
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "bob").status()).isEqualTo(AVAILABLE);
        }
    }
}

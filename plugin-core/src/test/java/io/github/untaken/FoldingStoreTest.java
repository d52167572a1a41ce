package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** P2, value by value: that a store finds one spelling by its key is no evidence for another. */
class FoldingStoreTest {
    private static final IdentifierKind KIND = CheckerFixture.KIND;

    /** Compatibility forms and case folded, as the usual policies do. */
    private static final IdentifierNormalizer FOLDING = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return Normalizer.normalize(value, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    };

    /** A column that holds 'A' and 'a' equal, of the letters from a to z, and nothing else. */
    private static final class AsciiFoldingStore implements RegisteredIdentifierStore.Comparing {
        private final Map<String, String> rows = new ConcurrentSkipListMap<>();
        private volatile Gate heldScan;
        private volatile boolean exact;

        static AsciiFoldingStore of(String... values) {
            AsciiFoldingStore store = new AsciiFoldingStore();
            List.of(values).forEach(store::commit);
            return store;
        }

        void commit(String value) {
            rows.put(folded(value), value);
        }

        void delete(String value) {
            rows.remove(folded(value));
        }

        private static String folded(String value) {
            StringBuilder folded = new StringBuilder();
            value.chars().forEach(c -> folded.append((char) (c >= 'A' && c <= 'Z' ? c + 32 : c)));
            return folded.toString();
        }

        @Override
        public boolean exists(String key, Duration timeout) {
            return exact ? rows.containsValue(key) : rows.containsKey(folded(key));
        }

        @Override
        public void scan(Consumer<String> values) {
            Gate gate = heldScan;
            if (gate != null) {
                gate.pass();
            }
            rows.values().forEach(values);
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("rows", true, "folds a to z");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> exact
                            ? pair.left().equals(pair.right())
                            : folded(pair.left()).equals(folded(pair.right())))
                    .toList();
        }
    }

    /** As Czech collations have it: ch is a letter of its own, in whatever case, but for a small c before a capital H. */
    private static final class CzechStore extends RowsStore implements RegisteredIdentifierStore.Comparing {
        private static String weighed(String value) {
            return value.replaceAll("ch|Ch|CH", "~").toLowerCase(Locale.ROOT);
        }

        @Override
        public boolean exists(String key, Duration timeout) {
            return rows.stream().anyMatch(row -> weighed(row).equals(weighed(key)));
        }

        @Override
        public boolean holdsKeys() {
            return false;
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("rows", true, "czech_ci");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> weighed(pair.left()).equals(weighed(pair.right())))
                    .toList();
        }
    }

    private static AvailabilityChecker checker(RegisteredIdentifierStore store) {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, FOLDING)
                .recheckTimeout(Duration.ofSeconds(20))
                .tick(CheckerFixture.TICK)
                .build();
    }

    private static AvailabilityChecker ready(RegisteredIdentifierStore store) {
        AvailabilityChecker checker = checker(store);
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    private static Verdict.Status status(AvailabilityChecker checker, String text) {
        return checker.check(KIND, text).status();
    }

    private static void rescan(AvailabilityChecker checker) {
        long epoch = checker.stats(KIND).epoch();
        checker.rescan(KIND);
        eventually(() -> checker.stats(KIND).epoch() > epoch);
    }

    @Test
    void aFullWidthRowToldByAnEventIsTakenWhereTheStoreFoldsLettersOnly() {
        AsciiFoldingStore store = AsciiFoldingStore.of("Alice");
        try (AvailabilityChecker checker = ready(store)) {
            assertThat(checker.stats(KIND).odd()).isZero();
            try (Announcement announced = checker.registrations().announce(KIND, "Ｂｏｂby")) {
                store.commit("Ｂｏｂby");
                announced.committed();
            }
            for (int i = 0; i < 2; i++) {
                assertThat(status(checker, "bobby")).isEqualTo(TAKEN);
                assertThat(status(checker, "Ｂｏｂby")).isEqualTo(TAKEN);
                assertThat(status(checker, "alice")).isEqualTo(TAKEN);
                rescan(checker);
            }
        }
    }

    @Test
    void aFullWidthRowBehindTenThousandFoldedOnesIsTaken() {
        AsciiFoldingStore store = new AsciiFoldingStore();
        for (int i = 0; i < 10_500; i++) {
            store.commit("User" + i);
        }
        store.commit("ｚｏｅ");
        try (AvailabilityChecker checker = ready(store)) {
            for (int i = 0; i < 2; i++) {
                assertThat(status(checker, "zoe")).isEqualTo(TAKEN);
                assertThat(status(checker, "ｚｏｅ")).isEqualTo(TAKEN);
                assertThat(status(checker, "user17")).isEqualTo(TAKEN);
                assertThat(checker.stats(KIND).odd())
                        .as("of what the store does not find")
                        .isEqualTo(1);
                rescan(checker);
            }
        }
    }

    @Test
    void whileTheFirstScanRunsNoSpellingIsCalledFree() {
        AsciiFoldingStore store = AsciiFoldingStore.of("ａｌｉｃｅ", "jose\u0301", "ﬁnn", "Kim");
        store.heldScan = new Gate();
        try (AvailabilityChecker checker = checker(store)) {
            store.heldScan.awaitArrival();
            assertThat(checker.state(KIND)).isEqualTo(KindState.WARMING);
            for (String name : List.of("alice", "josé", "finn", "nobody")) {
                assertThat(checker.check(KIND, name))
                        .as(name)
                        .matches(v -> v.status() == UNKNOWN
                                && v.reason().orElseThrow().equals(StoreAnswers.SPELLING_UNCERTAIN));
            }
            assertThat(status(checker, "kim")).as("the store finds it").isEqualTo(TAKEN);
            store.heldScan.open();
            eventually(() -> checker.state(KIND) == KindState.READY);
            for (String name : List.of("alice", "josé", "finn", "kim")) {
                assertThat(status(checker, name)).as(name).isEqualTo(TAKEN);
            }
            assertThat(status(checker, "nobody")).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aFreedFullWidthNameIsFreeAfterTheNextScan() {
        AsciiFoldingStore store = AsciiFoldingStore.of("ａｌｉｃｅ", "Kim");
        try (AvailabilityChecker checker = ready(store)) {
            store.delete("ａｌｉｃｅ");
            store.delete("Kim");
            checker.registrations().released(KIND, "ａｌｉｃｅ");
            checker.registrations().released(KIND, "Kim");
            eventually(() -> checker.stats(KIND).stale() == 2);
            assertThat(checker.check(KIND, "kim").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
            assertThat(status(checker, "alice")).isEqualTo(TAKEN);
            rescan(checker);
            assertThat(status(checker, "alice")).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aCapitalThatCountsAfterSomeLetterMakesAnOddSpelling() {
        CzechStore store = new CzechStore();
        store.rows.add("McHale");
        try (AvailabilityChecker checker = ready(store)) {
            assertThat(status(checker, "mchale")).isEqualTo(TAKEN);
            try (Announcement announced = checker.registrations().announce(KIND, "McHugh")) {
                store.rows.add("McHugh");
                announced.committed();
            }
            assertThat(status(checker, "mchugh")).isEqualTo(TAKEN);
        }
    }

    /** Somebody has dropped the index that knew no case. */
    @Test
    void whereAColumnNoLongerFoldsMemoryDoesNotAnswerUntilItIsScanned() {
        AsciiFoldingStore store = AsciiFoldingStore.of("Alice");
        try (AvailabilityChecker checker = ready(store)) {
            assertThat(status(checker, "alice")).isEqualTo(TAKEN);
            store.heldScan = new Gate();
            store.exact = true;
            checker.rescan(KIND);
            store.heldScan.awaitArrival();
            assertThat(status(checker, "alice")).isEqualTo(UNKNOWN);
            store.heldScan.open();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertThat(status(checker, "alice")).isEqualTo(TAKEN);
        }
    }

    /** They were once ten thousand, and one more made every free name unknown. */
    @Test
    void manyDisplayFormsMakeNoFreeNameUnknown() {
        ScriptedStore store = new ScriptedStore();
        store.holdsAnySpelling();
        for (int i = 0; i < 12_000; i++) {
            store.commit("User" + i);
        }
        try (AvailabilityChecker checker = ready(store)) {
            int reads = store.reads();
            for (int i = 0; i < 12_000; i++) {
                assertThat(status(checker, "user" + i)).isEqualTo(TAKEN);
            }
            assertThat(store.reads()).as("known exactly").isEqualTo(reads);
            int fromMemory = 0;
            for (int i = 0; i < 5_000; i++) {
                Verdict verdict = checker.check(KIND, "free" + i);
                assertThat(verdict.status()).isEqualTo(AVAILABLE);
                fromMemory += verdict.decidedBy() == DecidedBy.FILTER ? 1 : 0;
            }
            assertThat(fromMemory).isGreaterThan(4_950);
        }
    }
}

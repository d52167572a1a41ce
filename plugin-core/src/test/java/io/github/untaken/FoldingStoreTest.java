package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Taken is what the column holds equal to the text or to its key, whatever else has that key. */
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
        private final AtomicInteger scans = new AtomicInteger();
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
        public Presence exists(String key, Duration timeout) {
            return Presence.of(exact ? rows.containsValue(key) : rows.containsKey(folded(key)));
        }

        @Override
        public void scan(Consumer<String> values) {
            Gate gate = heldScan;
            if (gate != null) {
                gate.pass();
            }
            rows.values().forEach(values);
            scans.incrementAndGet();
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("rows", true, "folds a to z", "folds a to z");
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

    /**
     * As Czech collations have it: ch is a letter of its own, in whatever case, but for a small c before a capital H. Else it compares by
     * the key, for a store that folded another way could be found to merge two keys, by the chance of what the checker asks it.
     */
    private static final class CzechStore extends RowsStore implements RegisteredIdentifierStore.Comparing {
        private static String weighed(String value) {
            return FOLDING.key(value) + value.contains("cH");
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            return Presence.of(rows.stream().anyMatch(row -> weighed(row).equals(weighed(key))));
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("rows", true, "czech_ci", "czech_ci");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> weighed(pair.left()).equals(weighed(pair.right())))
                    .toList();
        }
    }

    private static AvailabilityChecker checker(RegisteredIdentifierStore store, boolean refusesVariants) {
        return AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, store)
                .normalizer(KIND, FOLDING)
                .variants(KIND, refusesVariants)
                .recheckTimeout(Duration.ofSeconds(20))
                .tick(CheckerFixture.TICK)
                .linger(CheckerFixture.TICK) // none of these stores knows of a barrier
                .build();
    }

    private static AvailabilityChecker ready(RegisteredIdentifierStore store) {
        return ready(store, false);
    }

    private static AvailabilityChecker ready(RegisteredIdentifierStore store, boolean refusesVariants) {
        AvailabilityChecker checker = checker(store, refusesVariants);
        eventually(() -> checker.state(KIND) == KindState.READY);
        return checker;
    }

    private static Verdict.Status status(AvailabilityChecker checker, String text) {
        return checker.check(KIND, text).status();
    }

    private static void rescan(AvailabilityChecker checker, AsciiFoldingStore store) {
        int scans = store.scans.get();
        checker.rescan(KIND);
        eventually(() -> store.scans.get() > scans
                && checker.stats(KIND).scans().progress().isEmpty()
                && checker.state(KIND) == KindState.READY);
    }

    @Test
    void aFullWidthRowIsTakenAndItsKeyIsNotWhereTheColumnTellsThemApart() {
        AsciiFoldingStore store = AsciiFoldingStore.of("Alice");
        try (AvailabilityChecker checker = ready(store)) {
            try (Announcement announced = checker.registrations().announce(KIND, "Ｂｏｂby")) {
                assertThat(announced).isNotNull();
                store.commit("Ｂｏｂby");
            }
            for (int i = 0; i < 2; i++) {
                assertThat(status(checker, "ＢｏｂBY"))
                        .as("as the column compares")
                        .isEqualTo(TAKEN);
                assertThat(status(checker, "bobby")).isEqualTo(AVAILABLE);
                assertThat(status(checker, "ａｌｉｃｅ")).as("by its key").isEqualTo(TAKEN);
                rescan(checker, store);
            }
            store.commit("bobby"); // by another program: one key, two rows
            assertThat(checker.stats(KIND).missesProved()).isZero();
            rescan(checker, store);
            store.delete("bobby");
            assertThat(status(checker, "bobby")).isEqualTo(AVAILABLE);
            assertThat(status(checker, "Ｂｏｂby"))
                    .as("what was proved of one spelling says nothing of another")
                    .isEqualTo(TAKEN);
        }
    }

    @Test
    void whatLooksLikeAStoredNameIsAPolicyOfItsOwn() {
        AsciiFoldingStore store = new AsciiFoldingStore();
        for (int i = 0; i < 10_500; i++) {
            store.commit("User" + i);
        }
        store.commit("ｚｏｅ");
        try (AvailabilityChecker checker = ready(store, true)) {
            for (int i = 0; i < 2; i++) {
                assertThat(checker.check(KIND, "zoe"))
                        .matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.NORMALIZER);
                assertThat(checker.check(KIND, "ｚｏｅ").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(checker.check(KIND, "user17"))
                        .as("by the column itself")
                        .matches(v -> v.status() == TAKEN && v.decidedBy() == DecidedBy.STORE);
                assertThat(checker.stats(KIND).memory().variants())
                        .as("some may share a fingerprint")
                        .isBetween(10_490, 10_501);
                rescan(checker, store);
            }
        }
    }

    @Test
    void whileTheFirstScanRunsTheColumnAnswers() {
        AsciiFoldingStore store = AsciiFoldingStore.of("ａｌｉｃｅ", "jose\u0301", "ﬁnn", "Kim");
        store.heldScan = new Gate();
        try (AvailabilityChecker checker = checker(store, false)) {
            store.heldScan.awaitArrival();
            assertThat(checker.state(KIND)).isEqualTo(KindState.WARMING);
            assertWhatTheColumnSays(checker);
            store.heldScan.open();
            eventually(() -> checker.state(KIND) == KindState.READY);
            assertWhatTheColumnSays(checker);
        }
    }

    private static void assertWhatTheColumnSays(AvailabilityChecker checker) {
        for (String taken : List.of("ａｌｉｃｅ", "jose\u0301", "ﬁnn", "kim", "KIM", "ｋｉｍ")) {
            assertThat(status(checker, taken)).as(taken).isEqualTo(TAKEN);
        }
        for (String free : List.of("alice", "josé", "finn", "nobody")) {
            assertThat(status(checker, free)).as(free).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aCapitalThatCountsAfterSomeLetterIsAskedForAsItWasGiven() {
        CzechStore store = new CzechStore();
        store.rows.add("McHale");
        try (AvailabilityChecker checker = ready(store)) {
            assertThat(status(checker, "McHale")).isEqualTo(TAKEN);
            try (Announcement announced = checker.registrations().announce(KIND, "McHugh")) {
                assertThat(announced).isNotNull();
                store.rows.add("McHugh");
            }
            assertThat(status(checker, "McHugh")).isEqualTo(TAKEN);
            assertThat(status(checker, "mchugh"))
                    .as("another word to this column")
                    .isEqualTo(AVAILABLE);
            assertThat(status(checker, "McHugh")).isEqualTo(TAKEN);
        }
    }

    /** Somebody has dropped the index that knew no case. */
    @Test
    void aColumnThatNoLongerFoldsIsBelievedAtOnce() {
        AsciiFoldingStore store = AsciiFoldingStore.of("Alice");
        try (AvailabilityChecker checker = ready(store)) {
            assertThat(status(checker, "alice")).isEqualTo(TAKEN);
            store.exact = true;
            for (int i = 0; i < 2; i++) {
                assertThat(status(checker, "alice")).isEqualTo(AVAILABLE);
                assertThat(status(checker, "Alice")).isEqualTo(TAKEN);
                rescan(checker, store);
            }
        }
    }

    @Test
    void manyDisplayFormsMakeNoFreeNameUnknownAndCostOneReadEach() {
        ScriptedStore store = new ScriptedStore();
        for (int i = 0; i < 12_000; i++) {
            store.commit("User" + i);
        }
        try (AvailabilityChecker checker = ready(store)) {
            int reads = store.reads();
            for (int i = 0; i < 12_000; i++) {
                assertThat(status(checker, "user" + i)).isEqualTo(AVAILABLE);
                assertThat(status(checker, "user" + i)).isEqualTo(AVAILABLE);
            }
            assertThat(store.reads() - reads).isEqualTo(12_000);
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

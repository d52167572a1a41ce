package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.TICK;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.FilterType;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was kept in an earlier life serves without a scan, or is refused. The store is the oracle. */
class RestartTest {
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final Duration RESCAN = Duration.ofHours(1);
    private static final Duration INTERVAL = Duration.ofMinutes(5);

    @TempDir
    Path parent;

    private final ScriptedStore rows = new ScriptedStore("alice", "bob");
    private final List<AvailabilityChecker> lives = new ArrayList<>();
    private RegisteredIdentifierStore store = new Column(rows, "username");
    private IdentifierNormalizer normalizer = new LowerCase("lower case 1");
    private ScriptedFeed feed;
    private AvailabilityChecker checker;
    private volatile long nanos =
            Long.MAX_VALUE - Duration.ofMinutes(7).toNanos(); // it may stand anywhere, and run over
    private volatile long millis = 1_795_000_000_000L;

    private record LowerCase(String name) implements IdentifierNormalizer.Named {
        @Override
        public String key(String value) {
            return CheckerFixture.LOWER_CASE.key(value);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    }

    /** Of whatever it is asked for next, once armed. */
    private record FailingOnce(AtomicBoolean armed) implements IdentifierNormalizer.Named {
        @Override
        public String name() {
            return "failing once 1";
        }

        @Override
        public String key(String value) {
            if (armed.getAndSet(false)) {
                throw new IllegalStateException("told by the test");
            }
            return CheckerFixture.LOWER_CASE.key(value);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    }

    /** Of half a character. */
    private record Failing() implements IdentifierNormalizer.Named {
        @Override
        public String name() {
            return "failing 1";
        }

        @Override
        public String key(String value) {
            if (value.equals("\ud800")) {
                throw new IllegalArgumentException("told by the test");
            }
            return CheckerFixture.LOWER_CASE.key(value);
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    }

    private interface OverRows extends RegisteredIdentifierStore.Barrier {
        ScriptedStore rows();

        @Override
        default Presence exists(String key, Duration timeout) {
            return rows().exists(key, timeout);
        }

        @Override
        default void scan(Consumer<String> values) {
            rows().scan(values);
        }

        @Override
        default boolean awaitOpenTransactions(Duration timeout) {
            return rows().awaitOpenTransactions(timeout);
        }
    }

    private interface OfOneDatabase extends OverRows, RegisteredIdentifierStore.Identified {
        @Override
        default DatabaseMark present() {
            return new DatabaseMark("one", 1);
        }
    }

    private interface OfOneColumn extends OverRows, RegisteredIdentifierStore.InColumn {
        @Override
        default TableColumn column() {
            return new TableColumn("account", "username");
        }
    }

    /** The rows, in a database that has a name and compares. */
    private record Database(ScriptedStore rows, String name, UnaryOperator<String> compared)
            implements OfOneColumn, RegisteredIdentifierStore.Identified, RegisteredIdentifierStore.Comparing {
        @Override
        public DatabaseMark present() {
            return new DatabaseMark(name, 1);
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("table.column", true, "", "a function of its own");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            return pairs.stream()
                    .map(pair -> compared.apply(pair.left()).equals(compared.apply(pair.right())))
                    .toList();
        }
    }

    /** A column of the one table there is. */
    private record Column(ScriptedStore rows, String name)
            implements OfOneDatabase, RegisteredIdentifierStore.InColumn {
        @Override
        public TableColumn column() {
            return new TableColumn("account", name);
        }
    }

    private record OfSomeColumn(ScriptedStore rows) implements OfOneDatabase {}

    private record OfSomeDatabase(ScriptedStore rows) implements OfOneColumn {}

    private Path folder() {
        return parent.resolve("snapshots");
    }

    private AvailabilityCheckerBuilder builder() {
        return AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, normalizer)
                .recheckTimeout(Duration.ofSeconds(20))
                .rescanInterval(RESCAN)
                .auditInterval(Duration.ofDays(300))
                .snapshotInterval(INTERVAL)
                .snapshots(folder())
                .ticker(() -> nanos)
                .wall(() -> millis)
                .tick(TICK)
                .bound(BOUND)
                .feed(feed);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        millis += time.toMillis();
    }

    /** Begins a life whose feed has not said anything yet. */
    private void begin() {
        begin(settings -> settings);
    }

    private void begin(UnaryOperator<AvailabilityCheckerBuilder> settings) {
        feed = new ScriptedFeed(KIND);
        checker = settings.apply(builder()).build();
        lives.add(checker);
    }

    private void awaitReady() {
        eventually(() -> checker.state(KIND) == KindState.READY);
    }

    /** A life that has scanned, was kept, and has ended in good order. */
    private void liveOnce() {
        begin();
        feed.sink().following();
        awaitReady();
        checker.close();
    }

    private void resume() {
        feed.sink().resumed();
    }

    private void commitElsewhere(String name) {
        rows.commit(name);
        feed.sink().registered(KIND, name);
    }

    private Status status(String name) {
        return checker.check(KIND, name).status();
    }

    private Status statusInMemory(String name) {
        return checker.checkInMemory(KIND, name).status();
    }

    private void awaitNews() {
        long before = checker.stats(KIND).following().orElseThrow().questions().answered();
        eventually(
                () -> checker.stats(KIND).following().orElseThrow().questions().answered() > before + 1);
    }

    private boolean isKept() {
        try (Stream<Path> all = Files.list(folder())) {
            return all.anyMatch(one -> one.getFileName().toString().matches("generation-[0-9a-f]+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file() throws IOException {
        try (Stream<Path> all = Files.list(folder())) {
            return all.filter(one -> one.getFileName().toString().startsWith("generation-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** What was left is refused before the feed hears of it, and the store is scanned. */
    private void assertRefused() {
        int before = rows.scans();
        begin();
        assertThat(feed.left()).isEmpty();
        feed.sink().following();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(before + 1);
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    @AfterEach
    void close() {
        lives.forEach(AvailabilityChecker::close);
    }

    @Test
    void goesOnWithoutAScanAndKnowsWhatWasCommittedMeanwhile() {
        liveOnce();
        rows.commit("carol");
        begin();
        assertThat(feed.left()).containsExactly("here");
        resume();
        commitElsewhere("carol");
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
        for (String name : List.of("alice", "bob", "carol")) {
            assertThat(status(name)).isEqualTo(Status.TAKEN);
        }
        awaitNews();
        int reads = rows.reads();
        assertThat(status("dave")).isEqualTo(Status.AVAILABLE);
        assertThat(rows.reads()).isEqualTo(reads);
    }

    /** The question proves that the log has come to the present. */
    @Test
    void memoryAnswersOnlyAfterAQuestionThatWasAskedOnceTheLogWasGoneOnWith() {
        liveOnce();
        rows.commit("carol");
        begin();
        feed.silent(true);
        resume();
        long failed = checker.stats(KIND).following().orElseThrow().questions().failed();
        eventually(
                () -> checker.stats(KIND).following().orElseThrow().questions().failed() > failed + 1);
        assertThat(checker.state(KIND)).isEqualTo(KindState.WARMING);
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
        commitElsewhere("carol");
        feed.silent(false);
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
    }

    @Test
    void aGapOnTheWayMeansAScan() {
        liveOnce();
        begin();
        feed.silent(true);
        resume();
        rows.commit("carol"); // nobody tells of it
        feed.sink().gap(GapReason.OTHER, "told by the test");
        feed.sink().following();
        feed.silent(false);
        awaitReady();
        assertThat(rows.scans()).isGreaterThan(1);
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
    }

    @Test
    void aFeedThatCannotGoOnFromThereMeansAScan() {
        liveOnce();
        rows.commit("carol");
        begin();
        feed.sink().following();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(2);
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
    }

    /** It stands in the log, and before the position, but its commit still waits for a standby. */
    @Test
    void whatWasToldInAnEarlierLifeAndCannotBeSeenYetIsWaitedForByTheBarrier() {
        begin();
        feed.sink().following();
        awaitReady();
        feed.sink().registered(KIND, "carol");
        checker.close();
        begin();
        Gate barrier = rows.holdBarrier();
        resume();
        barrier.awaitArrival();
        assertThat(status("carol")).isEqualTo(Status.AVAILABLE); // not acknowledged to anybody
        rows.commit("carol");
        barrier.open();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
        rows.delete("carol");
        assertThat(status("carol")).isEqualTo(Status.AVAILABLE);
        int reads = rows.reads();
        awaitNews();
        assertThat(status("carol")).isEqualTo(Status.AVAILABLE);
        assertThat(rows.reads()).isEqualTo(reads); // proved absent by now
    }

    @Test
    void whatIsOpenAndCannotBeToldToWhatWasKeptMeansAScan() {
        AtomicBoolean throwing = new AtomicBoolean();
        normalizer = new FailingOnce(throwing);
        liveOnce();
        begin();
        try (Announcement open = checker.registrations().announce(KIND, "carol")) {
            assertThat(open).isNotNull();
            throwing.set(true);
            resume();
            assertThat(throwing).isFalse();
            awaitReady();
            assertThat(rows.scans()).isEqualTo(2);
            rows.commit("carol");
            assertThat(status("carol")).isEqualTo(Status.TAKEN);
        }
        checker.rescan(KIND);
        eventually(() -> rows.scans() == 3);
    }

    @Test
    void aBarrierThatTimesOutOnTheWayMeansAScan() {
        liveOnce();
        begin();
        rows.failingBarrier(true);
        resume();
        eventually(() -> checker.stats(KIND).scans().failed() > 0); // the one that follows meets the same barrier
        assertThat(statusInMemory("dave")).isEqualTo(Status.UNKNOWN);
        rows.failingBarrier(false);
        awaitReady();
        assertThat(rows.scans()).isEqualTo(2);
    }

    /** Its commits would be behind the position, and in nothing that was kept. */
    @Test
    void aPositionOfTheNextStretchIsNotTakenForThisOne() {
        begin();
        feed.position(() -> {
            feed.position(() -> Optional.of("later"));
            rows.commit("carol"); // nobody tells of it
            feed.sink().gap(GapReason.OTHER, "told by the test");
            feed.sink().following();
            return Optional.of("further");
        });
        feed.sink().following();
        eventually(() -> !feed.everKept().isEmpty());
        assertThat(feed.everKept()).containsExactly("later");
    }

    @Test
    void whatIsNotTrustedIsNotLeft() {
        begin();
        feed.sink().following();
        awaitReady();
        eventually(() -> Set.of("here").equals(feed.kept()));
        assertThat(isKept()).isTrue();
        feed.sink().gap(GapReason.OTHER, "told by the test");
        eventually(() -> feed.kept().isEmpty());
        assertThat(isKept()).isFalse();
        checker.close();
        assertThat(isKept()).isFalse();
        assertThat(feed.disconnected()).isTrue();
    }

    @Test
    void isWrittenAfterEachScanAndWithinTheIntervalAndAtTheEnd() {
        begin();
        feed.sink().following();
        awaitReady();
        eventually(() -> Set.of("here").equals(feed.kept()));
        feed.position(() -> Optional.of("there"));
        pass(INTERVAL.minusMillis(1));
        checker.rescan(KIND);
        eventually(() -> rows.scans() == 2);
        eventually(() -> Set.of("there").equals(feed.kept()) || passABit());
        feed.position(() -> Optional.of("further"));
        pass(INTERVAL);
        eventually(() -> Set.of("further").equals(feed.kept()));
        feed.position(() -> Optional.of("the end"));
        checker.close();
        assertThat(feed.kept()).containsExactly("the end");
        begin();
        assertThat(feed.left()).containsExactly("the end");
    }

    @Test
    void isNotWrittenMoreOftenThanThat() {
        begin();
        AtomicInteger written = new AtomicInteger();
        feed.position(() -> Optional.of("number " + written.incrementAndGet()));
        feed.sink().following();
        awaitReady();
        for (int i = 1; i <= 4; i++) {
            String position = "number " + i;
            eventually(() -> Set.of(position).equals(feed.kept()));
            pass(INTERVAL.minusMillis(1));
            awaitNews();
            assertThat(written).hasValue(i);
            pass(Duration.ofMillis(1));
        }
    }

    /** Or the database would keep its log for good. */
    @Test
    void theFeedIsToldEachIntervalAlsoIfNothingCanBeKept() {
        normalizer = CheckerFixture.LOWER_CASE;
        begin();
        feed.sink().following();
        awaitReady();
        for (int i = 1; i <= 3; i++) {
            assertThat(feed.timesKept()).isLessThan(i);
            int times = i;
            pass(INTERVAL);
            eventually(() -> feed.timesKept() == times);
            assertThat(feed.kept()).isEmpty();
        }
    }

    /** Two scans at one moment are one for the keeper. */
    private boolean passABit() {
        if (rows.scans() < 3) {
            pass(Duration.ofMillis(2));
            checker.rescan(KIND);
        }
        return false;
    }

    @Test
    void aLifeThatEndsBeforeItIsReadyLeavesWhatItFound() {
        liveOnce();
        begin();
        checker.close();
        assertThat(feed.kept()).containsExactly("here");
        begin();
        assertThat(feed.left()).containsExactly("here");
    }

    /** Or whoever restarts every hour would keep for good what was erased. */
    @Test
    void theNextScanIsDueAnIntervalAfterTheLastOneHoweverOftenItIsRestarted() {
        liveOnce();
        for (int i = 0; i < 3; i++) {
            pass(RESCAN.dividedBy(4));
            begin();
            resume();
            awaitReady();
            checker.close();
        }
        assertThat(rows.scans()).isEqualTo(1);
        begin();
        resume();
        awaitReady();
        pass(RESCAN.dividedBy(4).plusSeconds(1));
        eventually(() -> rows.scans() == 2);
    }

    /** The server may be away for as long. */
    @Test
    void whatWasKeptGrowsOlderUntilTheLogIsFollowed() {
        liveOnce();
        pass(Duration.ofMinutes(10));
        begin();
        pass(Duration.ofMinutes(20));
        resume();
        awaitReady();
        assertThat(checker.stats(KIND).scans().sinceLast()).contains(Duration.ofMinutes(30));
        assertThat(rows.scans()).isEqualTo(1);
    }

    @Test
    void aScanOfLongAgoIsRefused() {
        liveOnce();
        pass(RESCAN.plus(RESCAN.dividedBy(2)).plusSeconds(1));
        assertRefused();
    }

    @Test
    void aScanOfTomorrowIsRefused() {
        liveOnce();
        millis -= 1_000;
        assertRefused();
    }

    @Test
    void aForgedFileIsRefused() throws IOException {
        liveOnce();
        byte[] bytes = Files.readAllBytes(file());
        bytes[bytes.length / 2] ^= 1;
        Files.write(file(), bytes);
        assertRefused();
    }

    @Test
    void aTornFileIsRefused() throws IOException {
        liveOnce();
        byte[] bytes = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(bytes, bytes.length / 2));
        assertRefused();
    }

    @Test
    void aLinkInItsPlaceIsRefused() throws IOException {
        liveOnce();
        Path file = file();
        Files.createSymbolicLink(file, Files.move(file, parent.resolve("elsewhere")));
        assertRefused();
    }

    @Test
    void keysOfAnotherFunctionAreRefused() {
        liveOnce();
        normalizer = new LowerCase("lower case 2");
        assertRefused();
    }

    @Test
    void withoutANameOfTheFunctionNothingIsKept() {
        liveOnce();
        normalizer = CheckerFixture.LOWER_CASE;
        begin();
        assertThat(feed.left()).isNull();
        feed.sink().following();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(2);
        checker.close();
        assertThat(isKept()).isFalse();
        assertThat(feed.everKept()).isEmpty();
    }

    /** It may not; but what was kept is no reason not to start. */
    @Test
    void aFunctionThatFailsForSomeTextKeepsNobodyFromStarting() {
        normalizer = new Failing();
        begin();
        feed.sink().following();
        awaitReady();
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
        checker.close();
        assertThat(isKept()).isFalse();
    }

    @Test
    void anotherDatabaseMeansAScan() {
        store = new Database(rows, "one", CheckerFixture.LOWER_CASE::key);
        liveOnce();
        assertScannedWith(new Database(rows, "other", CheckerFixture.LOWER_CASE::key));
    }

    /** The database says the same of all columns of a table. */
    @Test
    void anotherColumnOfThatTableMeansAScan() {
        store = new Column(rows, "username");
        liveOnce();
        ScriptedStore nicknames = new ScriptedStore("carol");
        store = new Column(nicknames, "nickname");
        begin();
        resume();
        awaitReady();
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
        assertThat(nicknames.scans()).isEqualTo(1);
    }

    @Test
    void aSecondStoreOfTheKindMeansAScan() {
        liveOnce();
        liveBeside(new Column(new ScriptedStore("carol"), "nickname"));
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
    }

    /** Nobody could tell in the next life whether it is the same. */
    @Test
    void nothingIsKeptOfAStoreThatCannotBeToldFromAnother() {
        for (RegisteredIdentifierStore untold : List.of(rows, new OfSomeColumn(rows), new OfSomeDatabase(rows))) {
            store = untold;
            liveOnce();
            assertThat(isKept()).isFalse();
            assertThat(feed.everKept()).isEmpty();
        }
    }

    @Test
    void besideAStoreThatCannotBeToldFromAnotherNothingIsGoneOnWith() {
        liveOnce();
        assertThat(isKept()).isTrue();
        liveBeside(new ScriptedStore("carol"));
        assertThat(status("carol")).isEqualTo(Status.TAKEN);
        assertThat(isKept()).isFalse();
    }

    private void liveBeside(RegisteredIdentifierStore second) {
        feed = new ScriptedFeed(KIND);
        checker = builder().store(KIND, second).build();
        lives.add(checker);
        resume();
        awaitReady();
    }

    @Test
    void aDatabaseThatTellsMoreApartThanItDidNeedsNoScan() {
        rows.commit("Zoe");
        store = new Database(rows, "one", CheckerFixture.LOWER_CASE::key);
        liveOnce();
        store = new Database(rows, "one", text -> text);
        begin();
        resume();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
        assertThat(status("Zoe")).isEqualTo(Status.TAKEN);
        assertThat(status("zoe")).isEqualTo(Status.AVAILABLE);
    }

    /** Nor does a scan help. */
    @Test
    void aDatabaseThatHoldsMoreEqualThanTheKeysAnswersItself() {
        store = new Database(rows, "one", CheckerFixture.LOWER_CASE::key);
        liveOnce();
        store = new Database(rows, "one", RestartTest::withoutAccents);
        begin();
        resume();
        eventually(() -> checker.state(KIND) == KindState.DEGRADED);
        awaitNews();
        assertThat(statusInMemory("dave")).isEqualTo(Status.UNKNOWN);
        assertThat(checker.state(KIND)).isEqualTo(KindState.DEGRADED);
    }

    private static String withoutAccents(String text) {
        return CheckerFixture.LOWER_CASE.key(
                Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{M}", ""));
    }

    @Test
    void theSameDatabaseDoesNot() {
        store = new Database(rows, "one", CheckerFixture.LOWER_CASE::key);
        liveOnce();
        begin();
        resume();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
    }

    private void assertScannedWith(Database now) {
        store = now;
        int before = rows.scans();
        begin();
        resume();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(before + 1);
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    /** A rescan that is asked for on the way would take the additions away from what was kept. */
    @Test
    void aRescanOnTheWayComesAfterwards() {
        liveOnce();
        begin();
        feed.silent(true);
        resume();
        checker.rescan(KIND);
        long failed = checker.stats(KIND).following().orElseThrow().questions().failed();
        eventually(
                () -> checker.stats(KIND).following().orElseThrow().questions().failed() > failed + 1);
        assertThat(rows.scans()).isEqualTo(1);
        commitElsewhere("carol");
        feed.silent(false);
        awaitReady();
        assertThat(statusInMemory("carol")).isNotEqualTo(Status.AVAILABLE);
        eventually(() -> rows.scans() == 2);
    }

    /** It ends, and the next one takes the additions away from what was kept; that must not serve any more. */
    @Test
    void aRescanFromBeforeTheLogWasFollowedMeansAScan() {
        liveOnce();
        begin();
        Gate barrier = rows.holdBarrier();
        checker.rescan(KIND);
        barrier.awaitArrival();
        feed.silent(true);
        resume();
        barrier.open();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(3);
        commitElsewhere("carol");
        feed.silent(false);
        for (int i = 0; i < 3; i++) {
            awaitNews();
            assertThat(statusInMemory("carol")).isNotEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void aFolderThatAnotherCheckerHasIsNotUsed() {
        begin();
        ScriptedFeed first = feed;
        begin();
        assertThat(feed.left()).isNull();
        feed.sink().following();
        awaitReady();
        first.sink().following();
        eventually(() -> Set.of("here").equals(first.kept()));
    }

    @Test
    void aFolderThatCannotBeWrittenHoldsNothingBack() throws IOException {
        begin();
        Files.createDirectories(folder().resolve("generation-6e616d65.new").resolve("in the way"));
        feed.sink().following();
        awaitReady();
        pass(INTERVAL);
        checker.close();
        assertThat(feed.kept()).isEmpty();
    }

    /** As a container closes it that has given up waiting: an interrupt would close the file under the writer. */
    @Test
    void whatServesIsKeptByAnInterruptedThreadToo() {
        begin();
        feed.sink().following();
        awaitReady();
        Thread.currentThread().interrupt();
        checker.close();
        assertThat(Thread.interrupted()).isTrue();
        begin();
        assertThat(feed.left()).containsExactly("here");
        resume();
        awaitReady();
        assertThat(rows.scans()).isEqualTo(1);
    }

    @Test
    void whatServesIsNotScannedForBecauseTheLogFails() {
        liveOnce();
        begin();
        try (Told told = new Told()) {
            told.failing(2); // that it is READY, and why
            resume();
            awaitReady();
            eventually(() -> told.failuresLeft() == 0);
            awaitNews();
            assertThat(rows.scans()).isEqualTo(1);
            pass(RESCAN.plusSeconds(1));
            eventually(() -> rows.scans() > 1); // the one that is due
        }
    }

    @Test
    void whatIsNotGoneOnWithIsScannedForAlsoIfTheLogFails() {
        store = new Database(rows, "one", CheckerFixture.LOWER_CASE::key);
        liveOnce();
        store = new Database(rows, "another", CheckerFixture.LOWER_CASE::key);
        begin();
        try (Told told = new Told()) {
            told.failing(Integer.MAX_VALUE);
            resume();
            awaitReady();
        }
        assertThat(rows.scans()).isEqualTo(2);
    }

    @Test
    void aFileThatCannotBeReplacedHoldsTheLogBackNoLonger() throws IOException {
        begin();
        feed.sink().following();
        awaitReady();
        eventually(() -> Set.of("here").equals(feed.kept()));
        Files.createDirectories(folder().resolve("generation-6e616d65.new").resolve("in the way"));
        pass(INTERVAL);
        eventually(() -> feed.kept().isEmpty());
        assertThat(isKept()).isFalse();
    }

    /** Between two attempts the log may be away for a while, and then nothing is written, nor does that work again. */
    @Test
    void aDiskThatStaysFullIsSaidOnce() throws IOException {
        try (Told told = new Told()) {
            begin();
            Files.createDirectories(folder().resolve("generation-6e616d65.new").resolve("in the way"));
            feed.sink().following();
            awaitReady();
            for (int i = 0; i < 3; i++) {
                awaitAttempt(Optional.empty());
                awaitAttempt(Optional.of("here"));
            }
            checker.close();
            assertThat(told.lines())
                    .filteredOn(line -> line.contains("Writing a snapshot"))
                    .singleElement()
                    .asString()
                    .contains("failed");
        }
    }

    private void awaitAttempt(Optional<String> position) {
        AtomicInteger attempts = new AtomicInteger();
        feed.position(() -> {
            attempts.incrementAndGet();
            return position;
        });
        pass(INTERVAL);
        eventually(() -> attempts.get() > 0);
    }

    @Test
    void needsAFeedAndAFilterThatCan() {
        feed = new ScriptedFeed(KIND);
        assertThatThrownBy(() -> builder().filter(FilterType.BLOOM).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CUCKOO");
        assertThatThrownBy(() -> AvailabilityChecker.builder()
                        .store(KIND, store)
                        .normalizer(KIND, normalizer)
                        .snapshots(folder())
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("feed");
    }
}

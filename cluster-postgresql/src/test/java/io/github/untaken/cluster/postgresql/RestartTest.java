package io.github.untaken.cluster.postgresql;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P24: a checker goes on where its last life has stopped, or scans. The table is the oracle. */
@Tag("ci")
class RestartTest {
    private static final IdentifierKind NICKNAME = IdentifierKind.of("nickname");

    @TempDir
    Path parent;

    private final List<AutoCloseable> open = new ArrayList<>();
    private TestTable table;
    private ScannedTable rows;
    private AvailabilityChecker checker;
    private Life feed;
    private int names;

    /** The feed of one life, which may end as if the process had been killed. */
    private static final class Life implements ChangeFeed.Resumable {
        private final PostgreSqlFeed feed;
        private volatile boolean killed;
        private volatile Set<String> kept = Set.of();

        Life(PostgreSqlFeed feed) {
            this.feed = feed;
        }

        @Override
        public void resume(Set<String> positions) {
            feed.resume(positions);
        }

        @Override
        public Optional<String> position() {
            return feed.position();
        }

        @Override
        public void kept(Set<String> positions) {
            if (!killed) {
                kept = positions;
                feed.kept(positions);
            }
        }

        @Override
        public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
            return feed.covers(stores);
        }

        @Override
        public void connect(ChangeSink sink) {
            feed.connect(sink);
        }

        @Override
        public void awaitMark(Duration timeout) {
            feed.awaitMark(timeout);
        }

        @Override
        public void disconnect() {
            feed.disconnect();
        }
    }

    @BeforeEach
    void createTable() {
        table = TestTable.published();
        rows = new ScannedTable(table.name());
        open.add(table);
        open.add(rows);
        register(30);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        TestServer.sql("select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active");
    }

    private Path folder() {
        return parent.resolve("snapshots");
    }

    /** By somebody else. */
    private void register(int count) {
        TestServer.sql("insert into " + table.name() + " (username) select 'name' || n from generate_series(" + names
                + ", " + (names + count - 1) + ") n");
        names += count;
    }

    private void begin(Path folder) {
        begin(folder, true);
    }

    private void begin(Path folder, boolean keepSlots) {
        feed = new Life(PostgreSqlFeed.of(TestServer.url())
                .user(TestServer.USER)
                .publication(table.name())
                .keepSlots(keepSlots)
                .build());
        checker = AvailabilityChecker.builder()
                .store(USERNAME, rows)
                .recheckTimeout(Duration.ofSeconds(20))
                .feed(feed)
                .snapshots(folder)
                .build();
        open.add(checker);
    }

    private void live() {
        begin(folder());
        awaitReady();
    }

    private void liveOnce() {
        live();
        checker.close();
        assertThat(slots()).isEqualTo("1");
    }

    private void awaitReady() {
        Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
    }

    private String slots() {
        return TestServer.query("select count(*) from pg_replication_slots where slot_name like 'untaken%'");
    }

    /** Every row, asked in the mode that allows no excuse, and once more with what is believed by then. */
    private void assertEveryNameIsTaken() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < names; i++) {
                assertThat(checker.latest(USERNAME, "name" + i).status())
                        .as("name%d of %d", i, names)
                        .isEqualTo(Status.TAKEN);
            }
        }
        // A scan of so few rows may be quicker than the first question.
        Eventually.holds("free", () -> checker.latest(USERNAME, "unheardof").available());
        assertThat(checker.stats(USERNAME).missesProved()).isZero();
    }

    private void assertGoesOn() {
        assertGoesOn(folder());
    }

    private void assertGoesOn(Path folder) {
        int before = rows.scans();
        register(10);
        begin(folder);
        register(10);
        awaitReady();
        assertThat(rows.scans()).isEqualTo(before);
        register(10);
        assertEveryNameIsTaken();
        assertThat(rows.scans()).isEqualTo(before);
    }

    private void assertScans() {
        int before = rows.scans();
        register(10);
        begin(folder());
        register(10);
        awaitReady();
        assertThat(rows.scans()).isEqualTo(before + 1);
        assertEveryNameIsTaken();
    }

    /** As a copy made at that moment would be, and as if nothing came after it. */
    private Path kill() throws IOException {
        Eventually.holds("kept", () -> !feed.kept.isEmpty());
        feed.killed = true;
        Path copy = parent.resolve("left");
        copy(folder(), copy);
        return copy;
    }

    @Test
    void afterACleanStopItGoesOnWithoutAScanHoweverOften() {
        liveOnce();
        for (int i = 0; i < 3; i++) {
            assertGoesOn();
            checker.close();
            assertThat(slots()).isEqualTo("1");
        }
    }

    /** What came after the last file, and was told to the life that was killed, is told again. */
    @Test
    void afterAKillItGoesOnFromTheLastFile() throws IOException {
        live();
        Path left = kill();
        register(10);
        Eventually.holds(
                "told", () -> checker.latest(USERNAME, "name" + (names - 1)).status() == Status.TAKEN);
        checker.close();
        assertGoesOn(left);
    }

    @Test
    void aSlotThatSomebodyHasAdvancedMeansAScan() {
        liveOnce();
        register(10);
        TestServer.sql("select pg_replication_slot_advance(slot_name, pg_current_wal_flush_lsn())"
                + " from pg_replication_slots where slot_name like 'untaken%'");
        assertScans();
    }

    @Test
    void aSlotThatSomebodyHasDroppedMeansAScan() {
        liveOnce();
        TestServer.sql("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where slot_name like 'untaken%'");
        assertScans();
    }

    /** One of that name, which begins later. */
    @Test
    void aSlotThatSomebodyHasMadeAnewMeansAScan() {
        liveOnce();
        String slot = TestServer.query("select slot_name from pg_replication_slots where slot_name like 'untaken%'");
        register(10);
        TestServer.sql(
                "select pg_drop_replication_slot('" + slot + "')",
                "select pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
        assertScans();
    }

    @Test
    void aTableThatWasAwayMeanwhileMeansAScan() {
        liveOnce();
        table.sql("alter publication TABLE drop table TABLE");
        register(10);
        table.sql("alter publication TABLE add table TABLE (id, username)");
        assertScans();
    }

    @Test
    void anotherTableOfThatNameMeansAScan() {
        liveOnce();
        table.sql(
                "alter table TABLE rename to old_TABLE",
                "create table TABLE (id bigint generated by default as identity primary key, username text unique)",
                "alter publication TABLE set table TABLE (id, username)",
                "insert into TABLE (username) select username from old_TABLE",
                "drop table old_TABLE");
        assertScans();
    }

    /** Every column of a table is in the same database and table. */
    @Test
    void kindsThatHaveChangedTheirColumnsMeanAScan() throws Exception {
        table.sql(
                "alter table TABLE add nickname text unique",
                "update TABLE set nickname = 'nick' || username",
                "alter publication TABLE set table TABLE (id, username, nickname)");
        ScannedTable nicknames = new ScannedTable(table.name(), "nickname");
        open.add(nicknames);
        liveWith(rows, nicknames);
        checker.close();
        assertThat(slots()).isEqualTo("1");
        liveWith(nicknames, rows);
        assertThat(checker.latest(USERNAME, "nickname0").status()).isEqualTo(Status.TAKEN);
        assertThat(checker.latest(NICKNAME, "name0").status()).isEqualTo(Status.TAKEN);
        assertThat(rows.scans()).isEqualTo(2);
        assertThat(nicknames.scans()).isEqualTo(2);
    }

    private void liveWith(ScannedTable usernames, ScannedTable nicknames) {
        feed = new Life(PostgreSqlFeed.of(TestServer.url())
                .user(TestServer.USER)
                .publication(table.name())
                .keepSlots(true)
                .build());
        checker = AvailabilityChecker.builder()
                .store(USERNAME, usernames)
                .store(NICKNAME, nicknames)
                .normalizer(NICKNAME, UsernameNormalizer.defaults())
                .recheckTimeout(Duration.ofSeconds(20))
                .feed(feed)
                .snapshots(folder())
                .build();
        open.add(checker);
        awaitReady();
        Eventually.holds("READY", () -> checker.state(NICKNAME) == KindState.READY);
    }

    @Test
    void whereAllSlotsAreTakenItGoesOnWithItsOwn() {
        liveOnce();
        TestServer.sql(
                "select pg_create_physical_replication_slot('other' || n) from generate_series(1,"
                        + " current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots)) n");
        assertGoesOn();
        int before = rows.scans();
        table.sql("alter publication TABLE set (publish = 'insert, update')"); // a gap, and a new slot in place of that
        // one
        Eventually.holds("scanned", () -> rows.scans() == before + 1);
        awaitReady();
        assertEveryNameIsTaken();
    }

    /** Such as the process whose folder was copied, or the server's for one that has died and that it has not noticed yet. */
    @Test
    @Tag("nightly")
    void aSlotThatSomebodyReadsMeansAScan() throws Exception {
        liveOnce();
        Path copy = parent.resolve("copy");
        copy(folder(), copy);
        live(); // has the slot
        AvailabilityChecker first = checker;
        int before = rows.scans();
        begin(copy);
        register(10);
        awaitReady();
        assertThat(rows.scans()).isEqualTo(before + 1);
        assertEveryNameIsTaken();
        checker = first;
        assertEveryNameIsTaken();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void aForgedFileMeansAScan() throws IOException {
        liveOnce();
        Path file;
        try (Stream<Path> files = Files.list(folder())) {
            file = files.filter(one -> one.getFileName().toString().startsWith("generation-"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertScans();
    }

    /** The slot would hold back the server's log for nobody. */
    @Test
    void withoutAFileTheSlotIsDroppedAtACleanStop() {
        live();
        Eventually.holds("kept", () -> !feed.kept.isEmpty());
        TestServer.sql("alter publication " + table.name() + " set (publish = 'insert')");
        Eventually.holds("no file", () -> feed.kept.isEmpty());
        checker.close();
        assertThat(slots()).isEqualTo("0");
    }

    @Test
    void aSlotThatGoesWithItsConnectionLeavesNoFile() {
        begin(folder(), false);
        awaitReady();
        checker.close();
        assertThat(feed.kept).isEmpty();
        Eventually.holds("no slot", () -> slots().equals("0"));
        assertScans();
    }

    /** The server may forget what the files cover, and nothing else. */
    @Test
    void theServerKeepsItsLogFromTheLastFileOn() {
        live();
        Eventually.holds("kept", () -> !feed.kept.isEmpty());
        long file = Position.lowest(feed.kept).orElseThrow().end();
        register(30);
        assertEveryNameIsTaken();
        String confirmed = "select confirmed_flush_lsn <= '0/0'::pg_lsn + " + file
                + " from pg_replication_slots where slot_name like 'untaken%'";
        assertThat(TestServer.query(confirmed)).isEqualTo("t");
        checker.close();
        assertThat(Position.lowest(feed.kept).orElseThrow().end()).isGreaterThan(file);
    }
}

package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.Continuity;
import io.github.untaken.feed.Place;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose place in the log ends when, and what is missed by that: nothing, or a gap is said. */
class SlotTest {

    @Test
    void aTemporarySlotGoesWithItsConnectionAndThatIsAGap() {
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(settings -> settings.publication(table.name()), table.store())) {
            feed.sink().awaitFollowing();
            assertThat(slots(table)).hasSize(1);
            terminate(table.slots());
            feed.sink().awaitGap("its slot is gone");
            feed.sink().awaitStretch(2);
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().knows("alice")).isTrue();
            feed.close();
            awaitNone(table.slots());
        }
    }

    /** Where something limits what the server keeps for it. */
    @Test
    void aKeptSlotIsResumedAfterALostConnectionWithoutAGap() throws Exception {
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(settings -> settings.publication(table.name()), table.store())) {
            feed.sink().awaitFollowing();
            for (int i = 0; i < 3; i++) {
                table.insert("before" + i);
                terminate(table.slots());
                table.insert("after" + i);
                awaitMark(feed);
                assertThat(feed.sink().knows("before" + i)).isTrue();
                assertThat(feed.sink().knows("after" + i)).isTrue();
            }
            assertThat(feed.sink().gaps()).isEmpty();
            feed.close();
            assertThat(slots(table)).isEmpty();
        }
    }

    /** It would begin there, and say nothing of what is missing. */
    @Test
    @Tag("ci")
    void aSlotThatSomebodyElseHasReadIsAGap() {
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).keepSlots(true), table.store())) {
            for (int i = 0; feed.sink().gaps().isEmpty(); i++) {
                assertThat(i)
                        .as("times that the feed was back before the thief")
                        .isLessThan(20);
                feed.sink().awaitFollowing();
                TestServer.sql("select pg_terminate_backend(active_pid, 5000) from pg_replication_slots"
                        + " where slot_name like '" + table.slots() + "'");
                table.insert("user" + i);
                TestServer.sql("do $$ begin perform pg_replication_slot_advance(slot_name, pg_current_wal_flush_lsn())"
                        + " from pg_replication_slots where slot_name like '" + table.slots()
                        + "'; exception when object_in_use then null; end $$");
                awaitMark(feed);
                if (!feed.sink().knows("user" + i)) {
                    feed.sink().awaitGap("PLACE: somebody else read the replication slot");
                }
            }
        }
    }

    @Test
    @Tag("ci")
    void aSlotThatWasDroppedIsAGap() {
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).keepSlots(true), table.store())) {
            feed.sink().awaitFollowing();
            TestServer.sql("do $$ begin for i in 1..50 loop begin perform pg_terminate_backend(active_pid, 5000)"
                    + " from pg_replication_slots where slot_name like '" + table.slots() + "';"
                    + " perform pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like '"
                    + table.slots() + "'; return;"
                    + " exception when object_in_use then null; end; end loop; end $$");
            feed.sink().awaitGap("PLACE: the server dropped the replication slot");
            feed.sink().awaitStretch(2);
            feed.awaitMark();
        }
    }

    @Test
    @Tag("ci")
    void aNewSlotMayTakeLongerThanAnyOtherAnswer() throws Exception {
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            Console.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            try (TestFeed feed = TestFeed.connected(
                    settings -> settings.publication(table.name()).slotTimeout(Duration.ofMinutes(1)), table.store())) {
                Eventually.holds(
                        "it is in the making for longer than connecting may take",
                        () -> !TestServer.query("select pid from pg_stat_activity where backend_type = 'walsender'"
                                        + " and query like 'CREATE_%' and clock_timestamp() - query_start > '11 s'")
                                .isEmpty());
                Console.sql(idle, "commit");
                feed.sink().awaitFollowing();
                assertThat(feed.sink().gaps()).isEmpty();
            }
        }
    }

    @Test
    @Tag("ci")
    void aNewSlotSaysForWhomItWaits() throws Exception {
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            Console.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            try (TestFeed feed = TestFeed.connected(
                    settings -> settings.publication(table.name()).slotTimeout(Duration.ofSeconds(1)), table.store())) {
                String pid =
                        TestServer.query("select pid from pg_locks where locktype = 'transactionid' and pid is not null"
                                + " order by age(transactionid) desc limit 1");
                feed.sink().awaitGap("of process " + pid);
                assertThat(feed.sink().stretches()).isZero();
                assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
                Console.sql(idle, "commit");
                feed.sink().awaitFollowing();
            }
        }
    }

    /** It waits inside the server, which looks at no connection meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlotInTheMakingThatWasGivenUpMakesRoomForTheNext(boolean kept) throws Exception {
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            Console.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            Process process = new Process(table, kept, false);
            try {
                String last = "";
                for (int i = 0; i < 4; i++) {
                    last = awaitAnotherThan(last, table);
                    assertThat(last.lines()).hasSize(1);
                    process.follower.restart();
                }
                Console.sql(idle, "commit");
                process.sink.awaitFollowing();
            } finally {
                process.kill();
                process.follower.dropSlot();
            }
            awaitNone(table.slots());
        }
    }

    /** A process that follows the log, and may end without having said so. */
    private static final class Process {
        private final RecordingSink sink = new RecordingSink();
        private final Follower follower;
        private final Thread thread;

        Process(TestTable table, boolean kept, boolean resumable) {
            Properties user = new Properties();
            user.setProperty("user", TestServer.USER);
            Duration minute = Duration.ofMinutes(1);
            FeedSettings settings =
                    new FeedSettings(Set.of(), table.name(), false, new FeedSettings.Slots(4, kept, minute, minute));
            Marks marks = new Marks("test" + TestServer.number());
            follower = new Follower(
                    settings,
                    new Server(TestServer.url(), () -> user),
                    List.of(Place.of(IdentifierKind.USERNAME, table.store())),
                    sink,
                    new Continuity<>(sink, marks::abandon),
                    marks,
                    resumable,
                    null);
            thread = new Thread(follower);
            thread.start();
        }

        void kill() throws InterruptedException {
            follower.stop();
            thread.join();
        }
    }

    /** A limit of ten is soon reached, and then nobody could follow, nor a standby come back. */
    @Test
    void processesThatAreKilledAgainAndAgainLeaveOneSlot() throws Exception {
        try (TestTable table = TestTable.published()) {
            Process steady = new Process(table, true, false);
            steady.sink.awaitFollowing();
            for (int i = 0; i < 8; i++) {
                Process killed = new Process(table, true, false);
                killed.sink.awaitFollowing();
                killed.kill();
                awaitActive(table, 1);
            }
            assertThat(slots(table).lines()).hasSize(2);
            assertThat(steady.sink.gaps()).isEmpty();
            steady.kill();
            try (TestFeed feed = TestFeed.connected(
                    settings -> settings.publication(table.name()).keepSlots(true), table.store())) {
                feed.sink().awaitFollowing();
                assertThat(slots(table).lines()).as("one was taken over").hasSize(2);
            }
            dropAll(table);
        }
    }

    /** Also where all were killed: those that wait for their process are the last to be taken. */
    @Test
    @Tag("ci")
    void aSlotThatWaitsForALaterProcessIsTakenOnceNoneIsLeft() throws Exception {
        try (TestTable table = TestTable.published()) {
            for (int i = 1; i <= 6; i++) {
                Process killed = new Process(table, true, true);
                killed.sink.awaitFollowing();
                killed.kill();
                awaitActive(table, 0);
                assertThat(slots(table).lines()).hasSize(Math.min(i, 4));
            }
            dropAll(table);
        }
    }

    /** It begins anew under the same number. */
    @Test
    @Tag("ci")
    void aGapLeavesNoSlotBehind() throws Exception {
        try (TestTable table = TestTable.published()) {
            Process process = new Process(table, true, true);
            process.sink.awaitFollowing();
            for (int i = 2; i < 5; i++) {
                table.sql("truncate TABLE");
                process.follower.restart(); // looks at the catalog, as a question would have
                process.sink.awaitStretch(i);
            }
            assertThat(slots(table).lines()).hasSize(1);
            process.kill();
            dropAll(table);
        }
    }

    /** Two that take the same one would drop and make anew what the other is about to read. */
    @Test
    @Tag("ci")
    void eachOfThoseThatStartTogetherReadsOneOfItsOwn() {
        try (TestTable table = TestTable.published()) {
            List<TestFeed> feeds = new ArrayList<>();
            try {
                for (int i = 0; i < 8; i++) {
                    feeds.add(TestFeed.connected(
                            settings -> settings.publication(table.name()).keepSlots(true), table.store()));
                }
                for (int i = 0; i < feeds.size(); i++) {
                    feeds.get(i).sink().awaitFollowing();
                    table.insert("user" + i);
                }
                for (TestFeed feed : feeds) {
                    feed.awaitMark();
                    assertThat(feed.sink().gaps()).isEmpty();
                    assertThat(feed.sink().knows("user7")).isTrue();
                }
                assertThat(slots(table).lines()).hasSize(8);
            } finally {
                feeds.forEach(TestFeed::close);
            }
            awaitNone(table.slots());
        }
    }

    @Test
    void whereAllAreReadTheReasonNamesTheSetting() {
        try (TestTable table = TestTable.published();
                TestFeed one = TestFeed.connected(
                        settings -> settings.publication(table.name()).slots(1), table.store())) {
            one.sink().awaitFollowing();
            try (TestFeed other = TestFeed.connected(
                    settings -> settings.publication(table.name()).slots(1), table.store())) {
                other.sink().awaitGap("SET_UP: all 1 replication slots of this publication are read");
                one.close();
                other.sink().awaitFollowing();
            }
        }
    }

    /** While it was not read, a process that found no other has taken it. */
    @Test
    @Tag("ci")
    void aSlotThatAnotherProcessHasTakenIsAGap() throws Exception {
        try (TestTable table = TestTable.published();
                Connection thief = TestServer.console()) {
            Process process = new Process(table, true, false);
            process.sink.awaitFollowing();
            String lock = "(" + ("untaken_" + table.name()).hashCode() + ", 1)";
            terminate(table.slots());
            Console.sql(thief, "select pg_advisory_lock" + lock);
            process.sink.awaitGap("PLACE: another process took the replication slot");
            process.sink.awaitStretch(2);
            assertThat(slots(table).lines())
                    .as("that of the thief, and the next")
                    .hasSize(2);
            process.kill();
            dropAll(table);
        }
    }

    /** Who makes or reads slots of that table. */
    private static String awaitAnotherThan(String last, TestTable table) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (true) {
            String now = TestServer.query("select active_pid from pg_replication_slots where active_pid is not null"
                    + " and slot_name like '" + table.slots() + "'");
            if (!now.isEmpty() && !now.equals(last)) {
                return now;
            }
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private static void awaitActive(TestTable table, int number) {
        Eventually.holds(
                "the server has noticed",
                () -> TestServer.query("select count(*) from pg_replication_slots where active and slot_name like '"
                                + table.slots() + "'")
                        .equals("" + number));
    }

    private static void dropAll(TestTable table) {
        awaitActive(table, 0);
        TestServer.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like '"
                + table.slots() + "'");
    }

    @Test
    @Tag("ci")
    void whatADeadNodeHasLeftIsSwept() {
        try (TestTable table = TestTable.published()) {
            String ours = table.slots().replace("%_", oid() + "_").replace("%", "");
            String dead = ours + "7_snapshot";
            String elsewhere = "untaken_" + oid() + "_00000000_1";
            TestServer.sql(
                    "select pg_create_logical_replication_slot('" + dead + "', 'pgoutput')",
                    "select pg_create_logical_replication_slot('" + elsewhere + "', 'pgoutput')");
            try (TestFeed feed = TestFeed.connected(
                    settings -> settings.publication(table.name())
                            .orphanAge(Duration.ofSeconds(1))
                            .keepSlots(true),
                    table.store())) {
                feed.sink().awaitFollowing();
                awaitNone(dead);
                assertThat(TestServer.query(
                                "select slot_name from pg_replication_slots where slot_name like '" + elsewhere + "'"))
                        .isNotEmpty();
                assertThat(slots(table)).isNotEmpty();
            } finally {
                TestServer.sql("select pg_drop_replication_slot('" + elsewhere + "')");
            }
        }
    }

    private static String oid() {
        return TestServer.query("select oid from pg_database where datname = current_database()");
    }

    @Test
    void whatWaitsInTheLogAndWhatTheServerKeepsIsCounted() throws Exception {
        try (TestTable table = TestTable.published();
                Connection console = TestServer.console()) {
            TestServer.sql("select pg_create_logical_replication_slot('untaken_counted', 'pgoutput')");
            table.sql("insert into TABLE (username) select repeat('x', 1000) || i from generate_series(1, 100) i");
            ChangeFeed.Backlog backlog = Slot.backlog(console, "untaken_counted");
            assertThat(backlog.unreadBytes()).isGreaterThan(100_000);
            assertThat(backlog.heldBytes()).isGreaterThanOrEqualTo(backlog.unreadBytes());
            assertThat(Slot.backlog(console, "untaken_none")).isNull();
        } finally {
            TestServer.sql("select pg_drop_replication_slot('untaken_counted')");
        }
    }

    /** Who has no slot any more cannot be said to hold nothing back. */
    @Test
    void whatIsKeptForAllIsCounted() throws Exception {
        try (Connection console = TestServer.console()) {
            ChangeFeed.Readers before = SharedSlots.readers(console);
            TestServer.sql("select pg_create_logical_replication_slot('untaken_idle', 'pgoutput')");
            TestServer.sql("select pg_logical_emit_message(true, 'other', repeat('x', 1000000))");
            ChangeFeed.Readers after = SharedSlots.readers(console);
            assertThat(after.idle()).isEqualTo(before.idle() + 1);
            assertThat(after.heldBytes()).isGreaterThan(1_000_000);
        } finally {
            TestServer.sql("select pg_drop_replication_slot('untaken_idle')");
        }
    }

    /** The question or the connection to the log may be broken at first. */
    static void awaitMark(TestFeed feed) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try {
                feed.feed().awaitMark(Duration.ofSeconds(1));
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("no mark has come", e);
                }
                feed.sink().awaitFollowing();
            }
        }
    }

    private static String slots(TestTable table) {
        return slots(table.slots());
    }

    private static String slots(String pattern) {
        return TestServer.query("select 'x' from pg_replication_slots where slot_name like '" + pattern + "'");
    }

    private static void awaitNone(String pattern) {
        Eventually.holds("every slot is gone", () -> slots(pattern).isEmpty());
    }

    static void terminate(String pattern) {
        TestServer.sql("select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name like '"
                + pattern + "'");
    }
}

package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.time.Duration;
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
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).node("brief"), table.store())) {
            feed.sink().awaitFollowing();
            assertThat(slots("untaken_brief%")).hasSize(1);
            terminate("untaken_brief%");
            feed.sink().awaitGap("its slot went with it");
            feed.sink().awaitStretch(2);
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().knows("alice")).isTrue();
            feed.close();
            awaitNone("untaken_brief%");
        }
    }

    /** Where something limits what the server keeps for it. */
    @Test
    void aKeptSlotIsResumedAfterALostConnectionWithoutAGap() throws Exception {
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).node("long"), table.store())) {
            feed.sink().awaitFollowing();
            for (int i = 0; i < 3; i++) {
                table.insert("before" + i);
                terminate("untaken_long");
                table.insert("after" + i);
                awaitMark(feed);
                assertThat(feed.sink().knows("before" + i)).isTrue();
                assertThat(feed.sink().knows("after" + i)).isTrue();
            }
            assertThat(feed.sink().gaps()).isEmpty();
            feed.close();
            assertThat(slots("untaken_long")).isEmpty();
        }
    }

    /** It would begin there, and say nothing of what is missing. */
    @Test
    @Tag("ci")
    void aSlotThatSomebodyElseHasReadIsAGap() {
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name())
                                .node("stolen")
                                .keepSlots(true),
                        table.store())) {
            for (int i = 0; feed.sink().gaps().isEmpty(); i++) {
                assertThat(i)
                        .as("times that the feed was back before the thief")
                        .isLessThan(20);
                feed.sink().awaitFollowing();
                TestServer.sql("select pg_terminate_backend(active_pid, 5000) from pg_replication_slots"
                        + " where slot_name = 'untaken_stolen'");
                table.insert("user" + i);
                TestServer.sql(
                        "do $$ begin perform pg_replication_slot_advance('untaken_stolen', pg_current_wal_flush_lsn());"
                                + " exception when object_in_use then null; end $$");
                awaitMark(feed);
                if (!feed.sink().knows("user" + i)) {
                    feed.sink().awaitGap("PLACE: the replication slot has been read by somebody else");
                }
            }
        }
    }

    @Test
    @Tag("ci")
    void aSlotThatWasDroppedIsAGap() {
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name())
                                .node("dropped")
                                .keepSlots(true),
                        table.store())) {
            feed.sink().awaitFollowing();
            TestServer.sql("do $$ begin for i in 1..50 loop begin perform pg_terminate_backend(active_pid, 5000)"
                    + " from pg_replication_slots where slot_name = 'untaken_dropped';"
                    + " perform pg_drop_replication_slot('untaken_dropped'); return;"
                    + " exception when object_in_use then null; end; end loop; end $$");
            feed.sink().awaitGap("PLACE: the server has dropped the replication slot");
            feed.sink().awaitStretch(2);
            feed.awaitMark();
        }
    }

    @Test
    @Tag("ci")
    void aNewSlotSaysForWhomItWaits() throws Exception {
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            TestServer.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            try (TestFeed feed = TestFeed.connected(
                    settings -> settings.publication(table.name()).slotTimeout(Duration.ofSeconds(1)), table.store())) {
                String pid =
                        TestServer.query("select pid from pg_locks where locktype = 'transactionid' and pid is not null"
                                + " order by age(transactionid) desc limit 1");
                feed.sink().awaitGap("of process " + pid);
                assertThat(feed.sink().stretches()).isZero();
                assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
                TestServer.sql(idle, "commit");
                feed.sink().awaitFollowing();
            }
        }
    }

    /** It waits inside the server, which looks at no connection meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlotInTheMakingThatWasGivenUpMakesRoomForTheNext(boolean kept) throws Exception {
        String node = "hasty" + TestServer.number();
        Properties user = new Properties();
        user.setProperty("user", TestServer.USER);
        RecordingSink sink = new RecordingSink();
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            TestServer.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            Duration minute = Duration.ofMinutes(1);
            FeedSettings settings =
                    new FeedSettings(TestServer.url(), user, Set.of(), table.name(), node, false, kept, minute, minute);
            Marks marks = new Marks(node);
            Follower follower = new Follower(
                    settings,
                    new Server(settings),
                    List.of(Place.of(IdentifierKind.USERNAME, table.store())),
                    sink,
                    new Continuity(sink, marks),
                    marks,
                    false,
                    null);
            Thread thread = new Thread(follower);
            thread.start();
            try {
                String last = "";
                for (int i = 0; i < 4; i++) {
                    last = awaitAnotherThan(last, node);
                    assertThat(last.lines()).hasSize(1);
                    follower.restart();
                }
                TestServer.sql(idle, "commit");
                sink.awaitFollowing();
            } finally {
                follower.stop();
                thread.join();
                follower.dropSlot();
            }
            awaitNone("untaken_" + node + '%');
        }
    }

    /** Who makes or reads slots of that node. */
    private static String awaitAnotherThan(String last, String node) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (true) {
            String now = TestServer.query("select active_pid from pg_replication_slots where active_pid is not null"
                    + " and starts_with(slot_name, 'untaken_" + node + "')");
            if (!now.isEmpty() && !now.equals(last)) {
                return now;
            }
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    @Test
    @Tag("ci")
    void whatADeadNodeHasLeftIsSwept() {
        TestServer.sql(
                "select pg_create_logical_replication_slot('untaken_dead', 'pgoutput')",
                "select pg_create_logical_replication_slot('other_dead', 'pgoutput')");
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name())
                                .orphanAge(Duration.ofSeconds(1))
                                .node("alive")
                                .keepSlots(true),
                        table.store())) {
            feed.sink().awaitFollowing();
            awaitNone("untaken_dead");
            assertThat(slots("other_dead")).isNotEmpty();
            assertThat(slots("untaken_alive")).isNotEmpty();
        } finally {
            TestServer.sql("select pg_drop_replication_slot('other_dead')");
        }
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

    @Test
    void oneScansAfterTheOther() {
        try (TestTable table = TestTable.published();
                TestFeed one = table.follow();
                TestFeed other = table.follow()) {
            ChangeFeed.Turn turn = one.feed().takeTurn(Duration.ofSeconds(10));
            long before = System.nanoTime();
            other.feed().takeTurn(Duration.ofMillis(300)).end();
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(300_000_000L);
            turn.end();
            before = System.nanoTime();
            other.feed().takeTurn(Duration.ofSeconds(30)).end();
            assertThat(System.nanoTime() - before).isLessThan(20_000_000_000L);
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
                    throw e;
                }
                feed.sink().awaitFollowing();
            }
        }
    }

    private static String slots(String pattern) {
        return TestServer.query("select 'x' from pg_replication_slots where slot_name like '" + pattern + "'");
    }

    private static void awaitNone(String pattern) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!slots(pattern).isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    static void terminate(String pattern) {
        TestServer.sql("select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name like '"
                + pattern + "'");
    }
}

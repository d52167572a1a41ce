package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that forgets connections without a word to either side, as one that translates addresses does. New ones it lets through. */
class SilentConnectionTest {

    private static TestFeed through(Network network, TestTable table) {
        return TestFeed.connected(
                "jdbc:postgresql://localhost:" + network.port() + "/postgres",
                settings -> settings.publication(table.name()),
                Map.of(IdentifierKind.USERNAME, List.of(table.store())));
    }

    @Test
    void theLogIsReadOnOverAnotherConnectionWithoutAGap() throws Exception {
        try (AutoCloseable never = TestServer.setting("wal_sender_timeout", "0");
                AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                Network network = new Network(TestServer.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            told.awaitMark();
            for (int i = 0; i < 2; i++) {
                network.forget(true, true);
                table.insert("user" + i);
                SlotTest.awaitMark(told);
                assertThat(told.sink().knows("user" + i)).isTrue();
            }
            assertThat(told.sink().gaps()).isEmpty();
        }
    }

    /** It is forgotten while the catalog is looked at, before anything of the log has been asked for. */
    @Test
    @Tag("ci")
    void aConnectionThatFallsSilentBeforeTheLogIsReadIsGivenUp() throws Exception {
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                Network network = new Network(TestServer.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            beforeTheLogIsAskedFor(network, () -> network.forget(true, true));
            table.insert("alice");
            SlotTest.awaitMark(told);
            assertThat(told.sink().knows("alice")).isTrue();
            assertThat(told.sink().gaps()).isEmpty();
        }
    }

    /** More than a second, in which the driver would tell the server how far it is. */
    @Test
    @Tag("ci")
    void aServerThatIsSlowToBeginIsWaitedFor() throws Exception {
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                Network network = new Network(TestServer.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            String before = reader();
            beforeTheLogIsAskedFor(network, () -> network.delay(Duration.ofMillis(700)));
            Eventually.holds("the server sends", () -> !Set.of("0", before).contains(reader()));
            String sender = reader();
            network.delay(Duration.ZERO);
            SlotTest.awaitMark(told);
            assertThat(reader()).isEqualTo(sender);
        }
    }

    private static void beforeTheLogIsAskedFor(Network network, Runnable change) throws SQLException {
        try (Connection console = TestServer.console();
                Statement statement = console.createStatement()) {
            console.setAutoCommit(false);
            statement.execute("lock table pg_catalog.pg_publication in access exclusive mode");
            network.cut();
            Eventually.holds(
                    "the next connection waits for its look at the catalog",
                    () -> TestServer.query("select count(*) from pg_stat_activity where backend_type = 'walsender'"
                                    + " and wait_event_type = 'Lock'")
                            .equals("1"));
            change.run();
            console.rollback();
        }
    }

    /** The process that sends the log, or 0. */
    private static String reader() {
        return TestServer.query("select coalesce(max(pid), 0) from pg_stat_replication where state <> 'startup'");
    }
}

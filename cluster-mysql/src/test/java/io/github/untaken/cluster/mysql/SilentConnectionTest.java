package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that forgets connections without a word to either side, as one that translates addresses does. New ones it lets through. */
@Tag("ci")
class SilentConnectionTest {

    private static TestFeed through(Network network, TestTable table) {
        return TestFeed.connected(
                MySqlFeed.of(TestServer.url(TestServer.RUNNING, network)).user("untaken"),
                Map.of(IdentifierKind.USERNAME, List.of(table.store())));
    }

    @Test
    void theLogIsReadOnOverAnotherConnectionWithoutAGap() throws Exception {
        try (TestTable table = TestTable.created();
                Network network = new Network(TestServer.RUNNING.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            told.awaitMark();
            for (int i = 0; i < 2; i++) {
                network.forget(true, true);
                table.insert("user" + i);
                awaitMark(told);
                assertThat(told.sink().knows("user" + i)).isTrue();
            }
            assertThat(told.sink().gaps()).isEmpty();
        }
    }

    /** As a checker does, which asks again. */
    private static void awaitMark(TestFeed told) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try {
                told.feed().awaitMark(Duration.ofSeconds(1));
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("the log is not read on", e);
                }
            }
        }
    }

    /** It is forgotten when the server has begun to send, and before anything has come. */
    @Test
    void aConnectionThatFallsSilentBeforeTheFirstEventIsGivenUp() throws Exception {
        try (TestTable table = TestTable.created();
                Network network = new Network(TestServer.RUNNING.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            told.awaitMark();
            List<Long> before = TestServer.readers(TestServer.RUNNING);
            network.delay(Duration.ofMillis(300));
            TestServer.endReaders(TestServer.RUNNING);
            Eventually.holds(
                    "the server sends on",
                    () -> TestServer.readers(TestServer.RUNNING).stream().anyMatch(reader -> !before.contains(reader)));
            network.forget(true, true);
            network.delay(Duration.ZERO);
            table.insert("alice");
            awaitMark(told);
            assertThat(told.sink().knows("alice")).isTrue();
            assertThat(told.sink().gaps()).isEmpty();
        }
    }

    /** Whoever has ended it could not end the connection that was not there yet. */
    @Test
    void aStretchThatIsEndedWhileItsConnectionIsMadeIsBegunAnew() throws Exception {
        try (TestTable table = TestTable.created();
                Network network = new Network(TestServer.RUNNING.port());
                TestFeed told = through(network, table)) {
            told.sink().awaitFollowing();
            told.awaitMark();
            network.holdNew(true);
            TestServer.endReaders(TestServer.RUNNING);
            Eventually.holds("the log is about to be read on", network::isHolding);
            AutoCloseable setting = TestServer.setting("read_only", "1");
            try (setting) {
                assertThat(told.askUntilGap()).startsWith("SET_UP: ");
            }
            network.holdNew(false);
            told.sink().awaitStretch(2);
            assertThat(told.sink().gaps()).hasSize(1);
        }
    }
}

package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.test.net.Network;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A network that forgets connections without a word to either side, as one that translates addresses does. New ones it lets through. */
class SilentConnectionTest {

    @Test
    void theLogIsReadOnOverAnotherConnectionWithoutAGap() throws Exception {
        try (AutoCloseable never = TestServer.setting("wal_sender_timeout", "0");
                AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                Network network = new Network(TestServer.port())) {
            PostgreSqlFeed feed = PostgreSqlFeed.of("jdbc:postgresql://localhost:" + network.port() + "/postgres")
                    .user(TestServer.USER)
                    .publication(table.name())
                    .build();
            RecordingSink sink = new RecordingSink();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(table.store())));
            feed.connect(sink);
            try (TestFeed told = new TestFeed(feed, sink)) {
                sink.awaitFollowing();
                told.awaitMark();
                for (int i = 0; i < 2; i++) {
                    network.forget(true, true);
                    table.insert("user" + i);
                    SlotTest.awaitMark(told);
                    assertThat(sink.knows("user" + i)).isTrue();
                }
                assertThat(sink.gaps()).isEmpty();
            }
        }
    }
}

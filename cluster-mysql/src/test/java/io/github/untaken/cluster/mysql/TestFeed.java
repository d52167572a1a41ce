package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.innodb.Server;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A feed that tells a recording sink. */
record TestFeed(MySqlFeed feed, RecordingSink sink) implements AutoCloseable {

    /** Of usernames in these tables, connected, and following. */
    static TestFeed following(RegisteredIdentifierStore... stores) {
        TestFeed started = connected("untaken", stores);
        started.sink().awaitFollowing();
        return started;
    }

    static TestFeed connected(String user, RegisteredIdentifierStore... stores) {
        return connected(
                MySqlFeed.of(TestServer.url()).user(user), Map.of(IdentifierKind.USERNAME, Arrays.asList(stores)));
    }

    static TestFeed connected(MySqlFeedBuilder settings, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        MySqlFeed feed = settings.build();
        RecordingSink sink = new RecordingSink();
        if (!feed.covers(stores).equals(stores.keySet())) {
            throw new AssertionError("all are in columns");
        }
        feed.connect(sink);
        return new TestFeed(feed, sink);
    }

    /** Of usernames in table {@code account} on another server; connected. */
    static TestFeed of(Server server, Set<String> positions) {
        MySqlFeed feed = MySqlFeed.of(TestServer.url(server)).user("untaken").build();
        RecordingSink sink = new RecordingSink();
        feed.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
        feed.resume(positions);
        feed.connect(sink);
        return new TestFeed(feed, sink);
    }

    /** All that was acknowledged before this has been told when it returns. */
    void awaitMark() {
        feed.awaitMark(Duration.ofSeconds(20));
    }

    /** Asks until it finds one, as the clock of a checker does. */
    String askUntilGap() {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (sink.gaps().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no gap in time");
            }
            try {
                awaitMark();
            } catch (StoreException e) {
                // that is how it is found
            }
        }
        return sink.gaps().get(0);
    }

    @Override
    public void close() {
        feed.disconnect();
    }
}

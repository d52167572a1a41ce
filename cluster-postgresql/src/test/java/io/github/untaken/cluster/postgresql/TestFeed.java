package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A feed that tells a recording sink. */
record TestFeed(PostgreSqlFeed feed, RecordingSink sink) implements AutoCloseable {

    /** Of usernames in these tables, connected, and following. */
    static TestFeed following(String publication, RegisteredIdentifierStore... stores) {
        TestFeed started = connected(settings -> settings.publication(publication), stores);
        started.sink().awaitFollowing();
        return started;
    }

    static TestFeed connected(UnaryOperator<PostgreSqlFeedBuilder> settings, RegisteredIdentifierStore... stores) {
        return connected(settings, Map.of(IdentifierKind.USERNAME, Arrays.asList(stores)));
    }

    static TestFeed connected(
            UnaryOperator<PostgreSqlFeedBuilder> settings,
            Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return connected(TestServer.url(), settings, stores);
    }

    static TestFeed connected(
            String url,
            UnaryOperator<PostgreSqlFeedBuilder> settings,
            Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        PostgreSqlFeed feed =
                settings.apply(PostgreSqlFeed.of(url).user(TestServer.USER)).build();
        RecordingSink sink = new RecordingSink();
        if (!feed.covers(stores).equals(stores.keySet())) {
            throw new AssertionError("all are in columns");
        }
        feed.connect(sink);
        return new TestFeed(feed, sink);
    }

    /** Of usernames in table {@code account} on another server; connected. */
    static TestFeed of(String url, boolean keepSlots) {
        return of(url, keepSlots, false);
    }

    /** @param resumable whether a later process may resume from its slot; nothing is on the disk yet */
    static TestFeed of(String url, boolean keepSlots, boolean resumable) {
        PostgreSqlFeed feed = PostgreSqlFeed.of(url)
                .user(TestServer.USER)
                .keepSlots(keepSlots)
                .build();
        RecordingSink sink = new RecordingSink();
        feed.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
        if (resumable) {
            feed.resume(Set.of());
        }
        feed.connect(sink);
        return new TestFeed(feed, sink);
    }

    /** All that was acknowledged before this has been told when it returns. */
    void awaitMark() {
        feed.awaitMark(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        feed.disconnect();
    }
}

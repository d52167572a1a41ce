package io.github.untaken.spring.boot.cluster;

import io.github.untaken.cluster.postgresql.PostgreSqlFeed;
import io.github.untaken.cluster.postgresql.PostgreSqlFeedBuilder;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.Given;

/** PostgreSQL's log by the properties. A class of its own, since its artifact may be missing. */
final class PostgreSqlFeeds implements FeedFactory {
    @Override
    public boolean knows(String url) {
        return url.startsWith("jdbc:postgresql:");
    }

    @Override
    public ChangeFeed feed(String url, UntakenProperties.Cluster from, FeedLogin login) {
        PostgreSqlFeedBuilder to = PostgreSqlFeed.of(url);
        from.properties().forEach(to::property);
        login.to(to::user, to::password);
        Given.set(from.publication(), to::publication);
        Given.set(from.createPublication(), to::createPublication);
        Given.set(from.keepSlots(), to::keepSlots);
        Given.set(from.slotTimeout(), to::slotTimeout);
        Given.set(from.slots(), to::slots);
        Given.set(from.orphanAge(), to::orphanAge);
        return to.build();
    }
}

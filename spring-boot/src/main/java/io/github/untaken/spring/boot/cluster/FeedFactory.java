package io.github.untaken.spring.boot.cluster;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spring.boot.UntakenProperties;

/** Makes the feed of one kind of database; a bean where its artifact is there. */
interface FeedFactory {
    /** Whether the address is of such a database. */
    boolean knows(String url);

    /**
     * A feed.
     *
     * @throws IllegalArgumentException if a setting has no good value
     */
    ChangeFeed feed(String url, UntakenProperties.Cluster from, FeedLogin login);
}

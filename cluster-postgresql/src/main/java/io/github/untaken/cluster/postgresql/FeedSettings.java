package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Set;

/**
 * What {@link PostgreSqlFeedBuilder} was told, but for the {@link Server}.
 *
 * @param kinds the kinds to cover; empty for all that can be covered
 */
record FeedSettings(Set<IdentifierKind> kinds, String publication, boolean createPublication, Slots slots) {

    /**
     * The slots that the processes share.
     *
     * @param most how many processes may follow the log
     * @param kept whether they outlast a lost connection even where nothing limits what the server keeps for them
     * @param timeout how long the making of one waits for transactions that are under way
     * @param orphanAge after how long one that no process reads is dropped
     */
    record Slots(int most, boolean kept, Duration timeout, Duration orphanAge) {}
}

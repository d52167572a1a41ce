package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.Continuity;
import io.github.untaken.feed.Place;
import io.github.untaken.feed.RepeatedLook;
import io.github.untaken.feed.SameDatabase;
import io.github.untaken.spi.ChangeFeed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again whether the stores still read the tables whose log is followed. Their address may lead to a new primary while
 * the feed's leads to the old one, which answers every question, and whose log has nothing more to tell.
 *
 * <p>On the way it asks how much of the log waits for us and for others. On a thread of its own, since a store may wait for a connection of the application's pool.
 */
final class StoreWatch {
    private final Server server;
    private final List<Place> places;
    private final Continuity<Catalog> continuity;
    private final Follower follower;
    private final RepeatedLook looks = new RepeatedLook("untaken-feed-stores", Duration.ofSeconds(10), this::look);
    private volatile ChangeFeed.@Nullable Backlog backlog;
    private volatile ChangeFeed.@Nullable Readers readers;

    StoreWatch(Server server, List<Place> places, Continuity<Catalog> continuity, Follower follower) {
        this.server = server;
        this.places = places;
        this.continuity = continuity;
        this.follower = follower;
    }

    /** As it was at the last look; empty if that found nobody to ask, or nobody who reads. */
    Optional<ChangeFeed.Backlog> backlog() {
        return Optional.ofNullable(backlog);
    }

    /** Of all processes, as it was at the last look. */
    Optional<ChangeFeed.Readers> readers() {
        return Optional.ofNullable(readers);
    }

    void start() {
        looks.start();
    }

    void stop() {
        looks.stop();
    }

    private void look() {
        Optional<Continuity.Followed<Catalog>> followed = continuity.current();
        try (Connection asked = server.plain(Duration.ofSeconds(5))) {
            readers = SharedSlots.readers(asked);
            Optional<String> slot = follower.read();
            backlog = slot.isPresent() ? Slot.backlog(asked, slot.get()) : null;
            if (followed.isPresent()) {
                SameDatabase.objection(places, DatabaseMarks.at(asked)).ifPresent(gap -> {
                    continuity.end(followed.get(), gap);
                    follower.restart();
                });
            }
        } catch (SQLException e) {
            backlog = null;
            readers = null;
            follower.refused(e); // of all else whoever reads the log will find out
        }
    }
}

package io.github.untaken.feed;

import io.github.untaken.spi.ChangeFeed.Figures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Checks again and again that the stores still read the tables whose log is followed. Their address may lead to a new primary while the
 * feed's still leads to the old one, which answers every question although its log reports nothing more.
 *
 * <p>It also asks how much of the log waits for us and for others. It has a thread of its own, since a store may wait for a connection from
 * the application's pool.
 */
public final class StoreWatch<C> {
    private final List<Place> places;
    private final Continuity<C> continuity;
    private final Log log;
    private final RepeatedLook looks = new RepeatedLook("untaken-feed-stores", Duration.ofSeconds(10), this::look);
    private volatile Figures figures = Figures.UNKNOWN;

    /** The log that is followed. */
    public interface Log {
        /** A new connection to its server, past any pool. */
        Connection open(Duration timeout) throws SQLException;

        /** How that server marks moments. */
        SameDatabase.Marks marks(Connection asked);

        /** How much of it is waiting to be read. */
        Figures measure(Connection asked) throws SQLException;

        /** Reads it anew, from where it can. */
        void restart();

        /** The server could not be asked. */
        void failed(SQLException why);
    }

    public StoreWatch(List<Place> places, Continuity<C> continuity, Log log) {
        this.places = places;
        this.continuity = continuity;
        this.log = log;
    }

    /** As they were at the last look; unknown if that found nobody to ask. */
    public Figures figures() {
        return figures;
    }

    /** Call once. */
    public void start() {
        looks.start();
    }

    /** No look begins any more. */
    public void stop() {
        looks.stop();
    }

    private void look() {
        Optional<Continuity.Followed<C>> followed = continuity.current();
        try (Connection asked = log.open(Duration.ofSeconds(5))) {
            figures = log.measure(asked);
            if (followed.isPresent()) {
                SameDatabase.objection(places, log.marks(asked)).ifPresent(gap -> {
                    continuity.end(followed.get(), gap);
                    log.restart();
                });
            }
        } catch (SQLException e) {
            figures = Figures.UNKNOWN;
            log.failed(e);
        }
    }
}

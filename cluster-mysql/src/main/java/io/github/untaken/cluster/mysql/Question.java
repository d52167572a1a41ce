package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.AskedConnection;
import io.github.untaken.feed.Place;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the primary where its log ends. Its identity cannot change while a connection lives. The tables are looked at only once a
 * second: whoever alters one leaves the statement in the log, unless they have switched that off.
 *
 * <p>Used by one thread at a time; {@link #close} by any.
 */
final class Question {
    private static final Duration LOOKS = Duration.ofSeconds(1);

    private final Server server;
    private final List<Place> places;
    private final AskedConnection asked;
    private Look.@Nullable Seen seen; // on this connection
    private long looked;

    Question(Server server, List<Place> places) {
        this.server = server;
        this.places = places;
        this.asked = new AskedConnection(new Primary(), AskedConnection.MOST_AGE);
    }

    /**
     * An answer.
     *
     * @param end of the log; everything acknowledged earlier stands before it
     */
    record Answer(Catalog catalog, LogPlace end) {}

    /**
     * Asks.
     *
     * @throws StoreException if the primary has not answered in time
     * @throws UnfollowableException if it says that its log cannot be followed
     */
    Answer ask(Duration timeout) throws UnfollowableException {
        Object answer = asked.ask(
                connection -> {
                    Look.Seen now = look(connection);
                    try {
                        return new Answer(now.catalog(), Ends.of(connection, now.facts()));
                    } catch (UnfollowableException e) {
                        return e;
                    }
                },
                timeout);
        if (answer instanceof UnfollowableException e) {
            throw e;
        }
        return (Answer) answer;
    }

    private Look.Seen look(Connection connection) throws SQLException {
        Look.Seen last = seen;
        if (last != null && System.nanoTime() - looked < LOOKS.toNanos()) {
            return last;
        }
        long now = System.nanoTime();
        Look.Seen fresh = Look.at(connection, places);
        seen = fresh;
        looked = now;
        return fresh;
    }

    void close() {
        asked.close();
    }

    private final class Primary implements AskedConnection.Server {
        @Override
        public Connection open(Duration timeout) throws SQLException {
            return server.plain(timeout);
        }

        @Override
        public void prepare(Connection fresh) {
            seen = null;
        }

        @Override
        public void giveUp(Connection failed) {
            AskedConnection.abort(failed);
        }
    }
}

package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.AskedConnection;
import io.github.untaken.feed.Place;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks the primary. Used by one thread at a time; {@link #close} by any. */
final class Question {
    private final Server server;
    private final String name;
    private final String publication;
    private final List<Place> places;
    private final AskedConnection asked;
    /** These may still wait inside the server, as for a standby; one more each second would use up all its connections. */
    private final List<Backend> givenUp = new ArrayList<>();

    private Backend backend = Backend.NONE;

    /** @param name of its connections at the server, for people */
    Question(Server server, String name, String publication, List<Place> places) {
        this(server, name, publication, places, AskedConnection.MOST_AGE);
    }

    Question(Server server, String name, String publication, List<Place> places, Duration mostAge) {
        this.name = name;
        this.server = server;
        this.publication = publication;
        this.places = places;
        this.asked = new AskedConnection(new Primary(), mostAge);
    }

    /**
     * Puts a mark into the log. When this returns, its commit is on the disk, as are all commits acknowledged before it.
     *
     * @throws StoreException if the primary has not answered in time
     */
    Catalog ask(String mark, Duration timeout) {
        return asked.ask(connection -> Catalog.mark(connection, publication, places, mark), timeout);
    }

    void close() {
        asked.close();
    }

    private final class Primary implements AskedConnection.Server {
        @Override
        public Connection open(Duration timeout) throws SQLException {
            backend = Backend.NONE;
            return server.plain(timeout, name);
        }

        @Override
        public void prepare(Connection fresh) throws SQLException {
            try (Statement statement = fresh.createStatement()) {
                // Without the first, the mark would not flush the commits of those who do not wait for the disk.
                // Without the last, the fingerprint's query would be planned anew for each question, which takes longer
                // than running it.
                statement.execute("set synchronous_commit = on; set default_transaction_read_only = off;"
                        + " set statement_timeout = 0; set idle_session_timeout = 0;"
                        + " set plan_cache_mode = force_generic_plan");
            }
            backend = Backend.of(fresh);
            for (Backend each : givenUp) {
                each.end(fresh, Duration.ZERO);
            }
            givenUp.clear();
        }

        @Override
        public void giveUp(Connection failed) {
            AskedConnection.abort(failed);
            givenUp.add(backend);
        }
    }
}

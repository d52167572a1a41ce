package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeSink;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.PGReplicationStream;

/** The thread that reads the log. Whatever fails, it begins again; what it cannot continue, it ends first. */
final class Follower implements Runnable {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final long MOST_PAUSE_MILLIS = 5_000;

    private final FeedSettings settings;
    private final Server server;
    private final List<Place> places;
    private final ChangeSink sink;
    private final Continuity continuity;
    private final Marks marks;
    private final Visibility visibility;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Also keeps the driver from closing the stream, which it does when nobody refers to the connection. */
    private volatile @Nullable Connection connection;

    private @Nullable Slot slot;
    private long pause;

    Follower(
            FeedSettings settings,
            Server server,
            List<Place> places,
            ChangeSink sink,
            Continuity continuity,
            Marks marks,
            Visibility visibility) {
        this.settings = settings;
        this.server = server;
        this.places = places;
        this.sink = sink;
        this.continuity = continuity;
        this.marks = marks;
        this.visibility = visibility;
    }

    @Override
    public void run() {
        while (closed.getCount() > 0) {
            try {
                follow();
            } catch (Throwable e) {
                lost(e);
            } finally {
                restart();
            }
            pause();
        }
    }

    private void lost(Throwable e) {
        try {
            if (e instanceof UndecodableException) {
                continuity.end(String.valueOf(e.getMessage()));
            } else if (e instanceof SQLException failure) {
                continuity.end("the connection to PostgreSQL's log was lost (SQLSTATE " + failure.getSQLState() + ')');
            } else {
                continuity.end(
                        "reading PostgreSQL's log failed: " + e.getClass().getName());
            }
        } catch (Throwable again) {
            // the next attempt says it
        }
    }

    private void pause() {
        pause = Math.min(MOST_PAUSE_MILLIS, Math.max(100, pause * 2));
        try {
            closed.await(pause, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // nobody of ours does that; the next look at the flag decides
        }
    }

    private void follow() throws SQLException, UndecodableException {
        Connection reading = server.replication(CONNECT);
        connection = reading;
        Catalog before = Catalog.look(reading, settings.publication(), places);
        Slot made = Slot.create(reading, Slot.PREFIX + settings.node(), false, settings.slotTimeout());
        slot = made;
        Catalog after = Catalog.look(reading, settings.publication(), places);
        if (before.differs(after).isPresent()) {
            return; // somebody was at work just then
        }
        Relations relations = new Relations(Catalog.columns(reading, places));
        PGReplicationStream stream = made.read(reading, settings.publication());
        continuity.begin(after);
        pause = 0;
        read(stream, made, relations);
    }

    private void read(PGReplicationStream stream, Slot from, Relations relations)
            throws SQLException, UndecodableException {
        Decoder decoder = new Decoder(relations, new Telling(stream, from));
        try {
            while (true) {
                ByteBuffer message = stream.read();
                if (message == null) {
                    throw new SQLException("the server has ended the stream", "08006");
                }
                decoder.decode(message);
            }
        } finally {
            from.left(stream);
        }
    }

    /** Ends the present connection, if there is one; the thread then begins again. */
    void restart() {
        Connection present = connection;
        if (present != null) {
            Server.abort(present);
        }
    }

    void stop() {
        closed.countDown();
        restart();
    }

    /** Tells the sink as values come: a transaction is only sent once it has been committed. */
    private final class Telling implements LogListener {
        private final PGReplicationStream stream;
        private final Slot slot;
        private final List<byte[]> reached = new ArrayList<>();
        private int xid;

        Telling(PGReplicationStream stream, Slot slot) {
            this.stream = stream;
            this.slot = slot;
        }

        @Override
        public void begins(int xid) {
            this.xid = xid;
        }

        @Override
        public void wrote(IdentifierKind kind, String value) {
            visibility.told(xid, sink.registered(kind, value));
        }

        @Override
        public void message(String prefix, byte[] content) {
            if (prefix.equals(Marks.PREFIX)) {
                reached.add(content);
            }
        }

        @Override
        public void committed(long end) {
            slot.applied(stream, end);
            reached.forEach(marks::reached);
            reached.clear();
        }
    }
}

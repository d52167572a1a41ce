package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.AskedConnection;
import io.github.untaken.feed.Attempts;
import io.github.untaken.feed.Continuity;
import io.github.untaken.feed.Gap;
import io.github.untaken.feed.LogLines;
import io.github.untaken.feed.Place;
import io.github.untaken.feed.Reading;
import io.github.untaken.feed.SameDatabase;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** The thread that reads the log. Whatever fails, it begins again; what it cannot continue, it ends first. */
final class Follower implements Runnable, Attempts.Attempt {
    private static final LogLines LINES = new LogLines(System.getLogger(Follower.class.getName()), PostgreSqlFeed.LOG);
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private static final String IN_USE = "55006";

    /** A kept slot is read on; a lost temporary one means a scan. */
    private static final Duration SHORT_SILENCE = Duration.ofSeconds(2);

    private static final Duration LONG_SILENCE = Duration.ofSeconds(30);

    private final FeedSettings settings;
    private final Server server;
    private final List<Place> places;
    private final SharedSlots slots;
    private final ChangeSink sink;
    private final Continuity<Catalog> continuity;
    private final Marks marks;
    private final Attempts attempts = new Attempts();
    /** Also keeps the driver from closing the stream, which it does when nobody refers to the connection. */
    private final Reading<Connection> reading = new Reading<>(attempts, AskedConnection::abort);

    private volatile @Nullable Slot slot;
    /** Of our last connection to the log; it may still be making a slot of which nobody will hear. */
    private volatile Backend backend = Backend.NONE;

    private final boolean resumable;
    private @Nullable Position left; // by an earlier life, and not yet gone on with
    private String name = ""; // of the last slot

    /**
     * @param resumable whether another life may go on with the slot
     * @param left by an earlier life; null if nothing was
     */
    Follower(
            FeedSettings settings,
            Server server,
            List<Place> places,
            ChangeSink sink,
            Continuity<Catalog> continuity,
            Marks marks,
            boolean resumable,
            @Nullable Position left) {
        this.settings = settings;
        this.server = server;
        this.places = places;
        this.sink = sink;
        this.continuity = continuity;
        this.marks = marks;
        this.resumable = resumable;
        this.left = left;
        this.slots = new SharedSlots(settings.publication(), settings.slots().most());
    }

    @Override
    public void run() {
        attempts.run(this);
    }

    @Override
    public void lost(Throwable e) {
        if (e instanceof UnfollowableException unfollowable) {
            continuity.end(unfollowable.gap());
        } else if (e instanceof SQLException failure) {
            lost(failure);
        } else {
            continuity.end(new Gap(
                    GapReason.OTHER,
                    "reading PostgreSQL's log failed: " + e.getClass().getName()));
        }
    }

    @Override
    public void letGo() {
        reading.letGo();
    }

    /** A kept slot waits for us, and whoever asks for a mark meanwhile gets none: silence is no gap. */
    private void lost(SQLException failure) {
        if (reading.isUnderWay() && continuity.current().isEmpty()) {
            return; // whoever has ended the stretch has said why, and ended the connection
        }
        Slot left = slot;
        if (left == null || !left.isKept() || continuity.current().isEmpty()) {
            // What the server says while it sends rows might quote one.
            String said = reading.isUnderWay() ? "" : ": " + failure.getMessage();
            continuity.end(new Gap(
                    GapReason.CONNECTION,
                    "the connection to PostgreSQL's log failed (SQLSTATE " + failure.getSQLState() + said + ')'
                            + (continuity.current().isPresent()
                                    ? ", and its slot is gone; set"
                                            + " max_slot_wal_keep_size, so that slots outlast a connection"
                                    : "")));
        }
    }

    @Override
    public void follow() throws SQLException, UnfollowableException {
        Slot last = slot;
        Position earlier = left;
        Optional<Continuity.Followed<Catalog>> followed = continuity.current();
        if (followed.isPresent() && last != null && last.isKept()) {
            resume(last, followed.get());
        } else if (earlier != null) {
            resume(earlier);
        } else {
            begin();
        }
    }

    /** The order is: a look, what has to be there, slot, the same look, then the news that all is followed. */
    private void begin() throws SQLException, UnfollowableException {
        boolean kept;
        Catalog before;
        try (Connection asked = server.plain(CONNECT)) {
            endLast(asked);
            String ours = slots.prefix(asked);
            SetUp.demand(asked, settings, places, ours); // may create the publication
            before = Catalog.look(asked, settings.publication(), places);
            kept = SetUp.demand(asked, settings, places, ours); // it may have been altered before that look
            SameDatabase.demand(places, DatabaseMarks.at(asked));
        }
        Connection opened = connect();
        Slot made = create(opened, kept);
        slot = made;
        Catalog after = Catalog.look(opened, settings.publication(), places);
        UnfollowableException.demand(before.differs(after));
        Relations relations = new Relations(Catalog.columns(opened, places));
        PGReplicationStream stream = made.read(opened, settings.publication());
        continuity.begin(after);
        read(stream, made, relations);
    }

    private Slot create(Connection opened, boolean kept) throws SQLException, UnfollowableException {
        name = slots.claim(opened, name, kept && resumable);
        try {
            return Slot.create(opened, name, kept, resumable, settings.slots().timeout());
        } catch (SQLException e) {
            if (!"57014".equals(e.getSQLState())) {
                throw e;
            }
            try (Connection asked = server.plain(CONNECT)) {
                throw new UnfollowableException(
                        GapReason.PLACE,
                        "no replication slot was created within "
                                + settings.slots().timeout().toSeconds()
                                + " s, since PostgreSQL waits for every writing transaction first; end the"
                                + " oldest, that "
                                + Slot.oldestTransaction(asked));
            }
        }
    }

    /** Goes on where the slot stands; all that was committed meanwhile comes now. */
    private void resume(Slot left, Continuity.Followed<Catalog> followed) throws SQLException, UnfollowableException {
        Opened opened;
        try (Connection asked = server.plain(CONNECT)) {
            endLast(asked);
            opened = open(asked, left, followed.catalog());
        } catch (SQLException e) {
            if (IN_USE.equals(e.getSQLState()) && !attempts.mayTryAgain()) {
                throw new UnfollowableException(
                        GapReason.PLACE, "another process took the replication slot while this one did not read it");
            }
            throw e;
        }
        if (continuity.isCurrent(followed)) { // else a question has ended it just now
            LINES.readOn();
            read(opened.stream(), left, opened.relations());
        }
    }

    /** Goes on where an earlier life has stopped, or begins anew at the next attempt. */
    private void resume(Position earlier) throws SQLException, UnfollowableException {
        Slot taken = Slot.left(earlier);
        Opened opened;
        try (Connection asked = server.plain(CONNECT)) {
            endLast(asked);
            try {
                if (!SetUp.demand(asked, settings, places, slots.prefix(asked))) {
                    throw new UnfollowableException(
                            GapReason.SET_UP, "replication slots no longer outlast a connection");
                }
                UnfollowableException.demand(
                        SameDatabase.objection(places, DatabaseMarks.at(asked))); // one that cannot say so may soon
                opened = open(asked, taken, earlier.catalog());
            } catch (UnfollowableException e) {
                refuse(earlier, String.valueOf(e.getMessage()));
                return;
            } catch (SQLException | RuntimeException e) {
                if (attempts.mayTryAgain()) {
                    throw e;
                }
                refuse(
                        earlier,
                        e instanceof SQLException failure
                                ? "SQLSTATE " + failure.getSQLState()
                                : e.getClass().getName());
                return;
            }
        }
        left = null;
        slot = taken;
        name = taken.name();
        continuity.resume(earlier.catalog());
        LINES.resumed();
        read(opened.stream(), taken, opened.relations());
    }

    private void refuse(Position earlier, String reason) {
        left = null;
        name = earlier.slot();
        LINES.notResumed(reason);
    }

    /** A slot that is read on. */
    private record Opened(PGReplicationStream stream, Relations relations) {}

    /** The order is: the look at what the log tells of, the slot in our hands, then the look at where it stands. */
    private Opened open(Connection asked, Slot left, Catalog then) throws SQLException, UnfollowableException {
        Connection opened = connect();
        UnfollowableException.demand(then.differs(Catalog.look(opened, settings.publication(), places)));
        if (!slots.isOwnedBy(opened, left.name())) {
            throw new SQLException("another connection owns the replication slot", IN_USE);
        }
        if (!left.isThere(asked)) {
            throw new UnfollowableException(
                    GapReason.PLACE,
                    "the server dropped the replication slot, or the log kept for it; raise"
                            + " max_slot_wal_keep_size");
        }
        Relations relations = new Relations(Catalog.columns(opened, places));
        PGReplicationStream stream = left.read(opened, settings.publication());
        if (!left.isContinuedBy(asked, backend.pid())) {
            throw new UnfollowableException(
                    GapReason.PLACE,
                    "somebody else read the replication slot, or the server was restored; if it was not, find who"
                            + " reads slots named untaken_...");
        }
        return new Opened(stream, relations);
    }

    private Connection connect() throws SQLException {
        Connection opened = server.replication(CONNECT);
        reading.over(opened);
        backend = Backend.of(opened);
        return opened;
    }

    /** If it has not noticed that we are gone it would hold a slot and a sender: for a minute, or for as long as a slot takes. */
    private void endLast(Connection asked) throws SQLException {
        backend.end(asked, Duration.ofSeconds(1));
    }

    private void read(PGReplicationStream stream, Slot from, Relations relations)
            throws SQLException, UnfollowableException {
        Decoder decoder = new Decoder(relations, new Telling(stream, from));
        reading.begins(from.isKept() ? SHORT_SILENCE : LONG_SILENCE);
        Idleness idleness = new Idleness(stream, marks);
        LogSequenceNumber received = stream.getLastReceiveLSN();
        try {
            while (!stream.isClosed()) {
                ByteBuffer message = stream.readPending(); // waits for a millisecond
                if (message == null) {
                    idleness.pass();
                } else {
                    idleness.end();
                    decoder.decode(message);
                }
                if (message != null || !received.equals(stream.getLastReceiveLSN())) {
                    received = stream.getLastReceiveLSN();
                    reading.heard();
                }
            }
            throw new SQLException("the server has ended the stream", "08006");
        } finally {
            from.left(stream);
        }
    }

    /** Which slot is read, or nothing if none is just now. */
    Optional<String> read() {
        Slot present = slot;
        return reading.isUnderWay() && present != null ? Optional.of(present.name()) : Optional.empty();
    }

    /** A mark stands in the log and has not come. */
    void restartIfSilent() {
        reading.endIfSilent();
    }

    /** Ends the present connection, if there is one; the thread then begins again. */
    void restart() {
        reading.end();
    }

    /**
     * The server refuses new connections. One that stops waits until whoever reads its log has confirmed all of it, and a held slot
     * confirms no more than is on the disk; so that one is let go of. It waits for us.
     */
    void refused(SQLException failure) {
        Slot present = slot;
        if ("57P03".equals(failure.getSQLState()) && present != null && present.isHeld()) {
            restart();
        }
    }

    void stop() {
        attempts.stop();
        if (!reading.isUnderWay()) {
            reading.connection().ifPresent(Server::cancel); // a slot in the making would wait on inside the server
        }
        restart();
    }

    /** How far all has been told, if another life may go on from there. */
    Optional<Position> position() {
        Optional<Continuity.Followed<Catalog>> followed = continuity.current();
        Slot present = slot;
        return followed.isPresent() && present != null && present.isHeld()
                ? Optional.of(Position.of(present, followed.get().catalog()))
                : Optional.empty();
    }

    /** What is on the disk now covers the log up to these. */
    void covers(List<Position> positions) {
        Slot present = slot;
        if (present != null) {
            present.covers(positions);
        }
    }

    /** Afterwards: leaves nothing that would hold back the server's log, unless another life is to go on with it. */
    void dropSlot() {
        Slot left = slot;
        boolean needed =
                left != null && left.isCovered() && continuity.current().isPresent();
        if (left != null && left.isKept() && !needed) {
            try (Connection asked = server.plain(Duration.ofSeconds(3))) {
                endLast(asked);
                Slot.drop(asked, left.name());
            } catch (SQLException | RuntimeException e) {
                // the other nodes sweep it
            }
        }
    }

    /** Tells the sink as values come: a transaction is only sent once it has been committed. */
    private final class Telling implements LogListener {
        private final PGReplicationStream stream;
        private final Slot slot;
        private final List<byte[]> reached = new ArrayList<>();

        Telling(PGReplicationStream stream, Slot slot) {
            this.stream = stream;
            this.slot = slot;
        }

        @Override
        public void wrote(IdentifierKind kind, String value) {
            sink.registered(kind, value);
        }

        @Override
        public void message(String prefix, byte[] content) {
            if (prefix.equals(Marks.PREFIX)) {
                reached.add(content);
            }
        }

        /** Unless it is confirmed, the driver confirms nothing behind it, and a server that stops waits for that. */
        @Override
        public void passed(long place) {
            committed(place);
        }

        @Override
        public void committed(long end) {
            slot.applied(stream, end);
            reached.forEach(marks::reached);
            reached.clear();
        }
    }
}

package io.github.untaken.cluster.postgresql;

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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** Reads the log on a thread of its own. After any failure it begins again; a stretch that it cannot continue is ended first. */
final class Follower implements Runnable, Attempts.Attempt {
    private static final LogLines LINES =
            new LogLines(System.getLogger(Follower.class.getName()), PostgreSqlFeed.LOG_NAME);
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Not left to the driver, whose interval is also how long it waits for the server to begin to send. */
    private static final long BETWEEN_CONFIRMATIONS_NANOS = 1_000_000_000;

    private static final String IN_USE = "55006";

    /** For a kept slot, which is read on; losing a temporary one means a scan. */
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
    /** Also keeps the driver from closing the stream, as it does once nothing refers to the connection. */
    private final Reading<Connection> reading = new Reading<>(attempts, AskedConnection::abort);

    private volatile @Nullable Slot slot;
    /** Serves our last connection to the log. It may still be creating a slot that nobody will hear of. */
    private volatile Backend backend = Backend.NONE;

    private final boolean resumable;
    private @Nullable Position left; // left by an earlier process, and not resumed yet
    private String name = ""; // of the last slot

    /**
     * @param resumable whether a later process may resume from the slot
     * @param left where an earlier process stopped; null if there is nothing to resume
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

    /** A kept slot waits for us, and no mark comes meanwhile for anyone who asks. So silence is no gap. */
    private void lost(SQLException failure) {
        if (reading.isUnderWay() && continuity.current().isEmpty()) {
            return; // whoever ended the stretch said why, and ended the connection
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

    /** In this order: look at the catalog, check the set-up, make the slot, look again, report that all is followed. */
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

    /** Continues from where the slot stands. Everything committed meanwhile comes now. */
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

    /** Resumes where an earlier process stopped, or else begins anew at the next attempt. */
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
                        SameDatabase.objection(places, DatabaseMarks.at(asked))); // a store that cannot tell may soon
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

    /** In this order: look at what the log reports, take the slot, then look at where it stands. */
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

    /** If it has not noticed that we are gone, it would hold a slot and a sender for a minute, or as long as a new slot takes. */
    private void endLast(Connection asked) throws SQLException {
        backend.end(asked, Duration.ofSeconds(1));
    }

    private void read(PGReplicationStream stream, Slot from, Relations relations)
            throws SQLException, UnfollowableException {
        Decoder decoder = new Decoder(relations, new SinkListener(sink, marks, stream, from));
        reading.begins(from.isKept() ? SHORT_SILENCE : LONG_SILENCE);
        Idleness idleness = new Idleness(stream, marks);
        LogSequenceNumber received = stream.getLastReceiveLSN();
        long confirmed = System.nanoTime();
        try {
            while (!stream.isClosed()) {
                long now = System.nanoTime();
                if (now - confirmed >= BETWEEN_CONFIRMATIONS_NANOS) {
                    stream.forceUpdateStatus();
                    confirmed = now;
                }
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

    /** The slot that is being read; empty if none is right now. */
    Optional<String> read() {
        Slot present = slot;
        return reading.isUnderWay() && present != null ? Optional.of(present.name()) : Optional.empty();
    }

    /** Call if a mark is in the log but has not come. */
    void restartIfSilent() {
        reading.endIfSilent();
    }

    /** Ends the present connection, if there is one; the thread then begins again. */
    void restart() {
        reading.end();
    }

    /**
     * The server refuses new connections. A server that shuts down waits until the readers of its log have confirmed all of it. A held
     * slot confirms no more than is on our disk, so it is let go. It waits for us.
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
            reading.connection().ifPresent(Server::cancel); // otherwise the server would go on waiting to make a slot
        }
        restart();
    }

    /** How far everything has been told, if a later process may resume from there. */
    Optional<Position> position() {
        Optional<Continuity.Followed<Catalog>> followed = continuity.current();
        Slot present = slot;
        return followed.isPresent() && present != null && present.isHeld()
                ? Optional.of(Position.of(present, followed.get().catalog()))
                : Optional.empty();
    }

    /** The files now on our disk cover the log up to these positions. */
    void covers(List<Position> positions) {
        Slot present = slot;
        if (present != null) {
            present.covers(positions);
        }
    }

    /** Call at the end. Leaves nothing that would hold back the server's log, unless a later process is to resume from it. */
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
}

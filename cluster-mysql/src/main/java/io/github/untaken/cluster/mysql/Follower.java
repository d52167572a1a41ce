package io.github.untaken.cluster.mysql;

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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the log on a thread of its own. After any failure it begins again; a stretch that it cannot continue is ended first. */
final class Follower implements Runnable, Attempts.Attempt {
    private static final LogLines LINES = new LogLines(System.getLogger(Follower.class.getName()), MySqlFeed.LOG_NAME);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(3);

    private final Server server;
    private final List<Place> places;
    private final ChangeSink sink;
    private final Continuity<Catalog> continuity;
    private final Progress progress;
    private final Attempts attempts = new Attempts();
    private final Reading<LogConnection> reading = new Reading<>(attempts, LogConnection::end);
    private final ServerIds ids = new ServerIds();

    /** How far everything has been told, in the present stretch. */
    private volatile @Nullable Position told;

    /** XA transactions whose rows have been told in the present stretch, but that are not committed yet. */
    private final Set<String> prepared = new HashSet<>();

    /** XA transactions prepared before this log was begun, and committed since. */
    private final Set<String> unknown = new HashSet<>();
    /** Where the log was begun, if one of these was just committed. Read again from there, it has the rows of all others. */
    private @Nullable Position again;

    private @Nullable Position left; // left by an earlier process, and not resumed yet

    /** @param left where an earlier process stopped; null if there is nothing to resume */
    Follower(
            Server server,
            List<Place> places,
            ChangeSink sink,
            Continuity<Catalog> continuity,
            Progress progress,
            @Nullable Position left) {
        this.server = server;
        this.places = places;
        this.sink = sink;
        this.continuity = continuity;
        this.progress = progress;
        this.left = left;
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
            lost("SQLSTATE " + failure.getSQLState());
        } else if (e instanceof LogConnection.LostException failure) {
            ids.draw();
            lost(String.valueOf(failure.getMessage()));
        } else {
            continuity.end(new Gap(
                    GapReason.OTHER,
                    "reading the binary log failed: " + e.getClass().getName()));
        }
    }

    @Override
    public void letGo() {
        reading.letGo();
    }

    /** The log waits on the server's disk, and nobody who asks meanwhile gets an answer. So silence is no gap. */
    private void lost(String why) {
        if (continuity.current().isEmpty() && !reading.isUnderWay()) {
            // else whoever ended the stretch said why
            continuity.end(new Gap(GapReason.CONNECTION, "the connection to the binary log failed (" + why + ')'));
        }
    }

    @Override
    public void follow() throws SQLException, UnfollowableException, LogConnection.LostException {
        Optional<Continuity.Followed<Catalog>> followed = continuity.current();
        Position last = told;
        Position earlier = left;
        if (followed.isPresent() && last != null) {
            read(new Stretch(last, () -> {
                if (continuity.isCurrent(followed.get())) {
                    LINES.readOn();
                } else {
                    restart(); // it was ended meanwhile; without this, nobody would begin anew
                }
            }));
        } else if (earlier != null) {
            resume(earlier);
        } else {
            begin();
        }
    }

    /** In this order: look at the tables, find the log's end, read its first event, look again, report that all is followed. */
    private void begin() throws SQLException, UnfollowableException, LogConnection.LostException {
        Position start;
        try (Connection asked = server.plain(CONNECT)) {
            Look.Seen seen = Look.at(asked, places);
            seen.demandNothing();
            SameDatabase.demand(places, DatabaseMarks.at(asked));
            ids.avoidReplicas(asked, seen.facts());
            start = start(asked, seen);
        }
        told = null;
        prepared.clear();
        prepared.addAll(unknown);
        read(new Stretch(start, () -> continuity.begin(start.catalog())));
    }

    /** If XA transactions come without pause, some are prepared wherever the log is begun. Always begun at its end, it would never last. */
    private Position start(Connection asked, Look.Seen seen) throws SQLException, UnfollowableException {
        Position since = again;
        again = null;
        if (since != null && since.catalog().differs(seen.catalog()).isEmpty()) {
            return since;
        }
        unknown.clear();
        return new Position(Ends.of(asked, seen.facts()), 0, seen.catalog());
    }

    /** Resumes where an earlier process stopped, or else begins anew at the next attempt. */
    private void resume(Position earlier) throws SQLException, UnfollowableException, LogConnection.LostException {
        try {
            try (Connection asked = server.plain(CONNECT)) {
                SameDatabase.demand(places, DatabaseMarks.at(asked));
            }
            read(new Stretch(earlier, () -> {
                left = null;
                continuity.resume(earlier.catalog());
                LINES.resumed();
            }));
        } catch (UnfollowableException e) {
            if (left == null) { // it has been resumed
                throw e;
            }
            refuse(String.valueOf(e.getMessage()));
        } catch (SQLException | LogConnection.LostException | RuntimeException e) {
            if (left == null || attempts.mayTryAgain()) {
                throw e;
            }
            refuse(e.getClass().getSimpleName());
        }
    }

    private void refuse(String reason) {
        left = null;
        LINES.notResumed(reason);
    }

    private void read(Stretch stretch) throws SQLException, UnfollowableException, LogConnection.LostException {
        Look.Seen seen;
        try (Connection asked = server.plain(CONNECT)) {
            seen = Look.at(asked, places);
        }
        UnfollowableException.demand(stretch.from.catalog().differs(seen.catalog()));
        LogConnection opened = new LogConnection(server, stretch.from.place(), ids.present());
        stretch.connection = opened;
        reading.over(opened);
        boolean ignoresCase = !seen.facts().get("lower_case_table_names").equals("0");
        stretch.statements = new Statements(seen.columns(), prepared, unknown);
        opened.read(new LogEvents(new RowEvents(seen.columns(), ignoresCase), stretch));
    }

    /** Call if a question says that the log ends further on than what has come. */
    void restartIfSilent() {
        reading.endIfSilent();
    }

    /** Ends the present connection, if there is one; the thread then begins again. */
    void restart() {
        reading.end();
    }

    void stop() {
        attempts.stop();
        restart();
    }

    /** How far everything has been told, if the log is followed now. */
    Optional<Position> position() {
        return continuity.current().isPresent() ? Optional.ofNullable(told) : Optional.empty();
    }

    /** Tells the sink each value as it comes: a transaction is in the log only once it is committed or prepared. */
    private final class Stretch implements LogListener {
        private final Position from;
        private final Runnable news;
        private @Nullable LogConnection connection;
        private Statements statements = new Statements(List.of(), Set.of(), Set.of());
        private @Nullable Position start; // null until it has begun
        private LogPlace place;
        private long begun;
        private boolean within;
        private boolean hasBegun;

        /** @param news run once it is certain that everything from there on will be told */
        Stretch(Position from, Runnable news) {
            this.from = from;
            this.news = news;
            this.place = from.place();
            this.begun = from.begun();
        }

        @Override
        public void file(LogPlace next) {
            place = next;
            reading.heard();
            if (hasBegun) {
                progress.reached(place);
            }
        }

        @Override
        public void begun(long at, boolean byStart) throws UnfollowableException {
            reading.heard();
            if (hasBegun && byStart) {
                throw new UnfollowableException(
                        GapReason.SERVER, "the server has restarted, so what was read of its log may have been undone");
            }
            if (!hasBegun) {
                if (from.begun() != 0 && from.begun() != at) {
                    throw new UnfollowableException(
                            GapReason.PLACE, "the binary log was reset: its file has the old name and other contents");
                }
                if (!isTheSame()) {
                    return;
                }
                hasBegun = true;
                reading.connection().ifPresent(LogConnection::mayBeSilent);
                reading.begins(SHORTEST_SILENCE);
                start = new Position(place, at, from.catalog());
                told = start;
                progress.reached(place);
                news.run();
            }
            begun = at;
        }

        /**
         * Whether the tables are unchanged now that the log, which has later changes, is connected, and its server is the one that was
         * asked.
         */
        private boolean isTheSame() throws UnfollowableException {
            try (Connection asked = server.plain(CONNECT)) {
                UnfollowableException.demand(
                        from.catalog().differs(Look.at(asked, places).catalog()));
                if (connection == null || !connection.isServedBy(asked)) {
                    throw new UnfollowableException(
                            GapReason.SERVER, "the connection to the log leads to another server than the driver's");
                }
            } catch (SQLException e) {
                restart(); // the connection is lost, but reading goes on later
                return false;
            }
            return true;
        }

        @Override
        public void wrote(WatchedColumn column, String value) {
            sink.registered(column.kind(), value);
        }

        @Override
        public void opened() {
            within = true;
            statements.isIn(true);
        }

        @Override
        public void closed() {
            within = false;
            statements.isIn(false);
        }

        @Override
        public void stated(String sql) throws UnfollowableException {
            switch (statements.judge(sql)) {
                case OPENS -> within = true;
                case CLOSES -> within = false;
                case ENDS_UNKNOWN -> {
                    again = start != null && start.place().file().equals(place.file()) ? start : null;
                    throw new UnfollowableException(
                            GapReason.PLACE,
                            "an XA transaction was committed that had been prepared before the binary log was"
                                    + " followed");
                }
                case NONE -> {}
            }
        }

        @Override
        public void passed(long lowOffset) {
            place = place.at(lowOffset);
            reading.heard();
            if (hasBegun) {
                told();
            }
        }

        private void told() {
            if (!within) {
                told = new Position(place, begun, from.catalog());
            }
            progress.reached(place);
        }
    }
}

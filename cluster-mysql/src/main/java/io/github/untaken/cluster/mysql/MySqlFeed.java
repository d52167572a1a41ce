package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.Continuity;
import io.github.untaken.feed.Coverage;
import io.github.untaken.feed.Gap;
import io.github.untaken.feed.Place;
import io.github.untaken.feed.SameDatabase;
import io.github.untaken.feed.StoreWatch;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The binary log of MySQL or MariaDB, read as a replica would: every process with a feed hears of each identifier that anybody commits.
 *
 * <p>It needs MySQL 8.0 or MariaDB 10.6 or newer with {@code log_bin}, {@code binlog_format = ROW} and {@code binlog_row_image = FULL},
 * and a user that may read the log. What is missing becomes the reason of the {@linkplain ChangeSink#gap gap}, with the SQL to run;
 * meanwhile the database answers. Each process takes two connections of the server, past any pool, and writes nothing. Thread-safe.
 */
public final class MySqlFeed implements ChangeFeed.Resumable, ChangeFeed.Measured {
    static final String LOG_NAME = "the binary log";

    private final FeedSettings settings;
    private final Server server;
    private Coverage coverage = Coverage.NONE; // guarded by this
    private @Nullable Position left; // guarded by this
    private volatile @Nullable Running running; // written under this

    private record Running(
            Follower follower,
            Thread thread,
            Question question,
            Continuity<Catalog> continuity,
            Progress progress,
            StoreWatch<Catalog> watch) {}

    private record WatchedLog(Server server, Follower follower, Progress progress) implements StoreWatch.Log {
        @Override
        public Connection open(Duration timeout) throws SQLException {
            return server.plain(timeout);
        }

        @Override
        public SameDatabase.Marks marks(Connection asked) {
            return DatabaseMarks.at(asked);
        }

        /** The server keeps its log as long as its settings say, whoever reads it. So nothing is held for us, and it knows no readers. */
        @Override
        public Figures measure(Connection asked) throws SQLException {
            LogPlace told = progress.told();
            return new Figures(told == null ? Optional.empty() : Ends.behind(asked, told), Optional.empty());
        }

        @Override
        public void restart() {
            follower.restart();
        }

        @Override
        public void failed(SQLException why) {
            // the thread that reads the log will find out
        }
    }

    MySqlFeed(FeedSettings settings) {
        this.settings = settings;
        this.server = new Server(settings);
    }

    /**
     * A feed of that database.
     *
     * @param url as the driver of MySQL or MariaDB has it, of one server; it must lead to the primary, past any proxy, and to the database
     *     that the checker's stores read
     * @throws IllegalArgumentException if it is none
     */
    public static MySqlFeedBuilder of(String url) {
        return new MySqlFeedBuilder(url);
    }

    @Override
    public synchronized Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        coverage = Coverage.of(settings.kinds(), stores);
        return coverage.kinds();
    }

    /** The server writes its log first, and commits in the engine afterwards, which replicas may delay for any length of time. */
    @Override
    public boolean runsAhead() {
        return true;
    }

    @Override
    public synchronized void connect(ChangeSink sink) {
        if (running != null) {
            throw new IllegalStateException("this feed is already connected; give each checker its own");
        }
        List<Place> places = coverage.places();
        Progress progress = new Progress();
        Continuity<Catalog> continuity = new Continuity<>(sink, progress::wake);
        Follower follower = new Follower(server, places, sink, continuity, progress, left);
        Thread thread = new Thread(follower, "untaken-feed");
        thread.setDaemon(true);
        StoreWatch<Catalog> watch = new StoreWatch<>(places, continuity, new WatchedLog(server, follower, progress));
        running = new Running(follower, thread, new Question(server, places), continuity, progress, watch);
        thread.start();
        watch.start();
    }

    /** What the log holds after what was told. None of it is held for anybody. */
    @Override
    public Figures figures() {
        Running now = running;
        return now == null ? Figures.UNKNOWN : now.watch().figures();
    }

    /** Resumes from the earlier place, if the server has kept its log and nothing has been altered since. */
    @Override
    public synchronized void resume(Set<String> positions) {
        left = Position.lowest(positions).orElse(null);
    }

    @Override
    public Optional<String> position() {
        Running now = running;
        return now == null ? Optional.empty() : now.follower().position().map(Position::text);
    }

    /** Does nothing: the server keeps its log for everybody, as long as its settings say. */
    @Override
    public void kept(Set<String> positions) {}

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new StoreException("the feed is not connected");
        }
        return now;
    }

    /** Asks where the log ends, and waits until it has been told up to there; nothing is written. */
    @Override
    public void awaitMark(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Running now = running();
        Continuity<Catalog> continuity = now.continuity();
        int ended = now.progress().ended();
        Continuity.Followed<Catalog> followed =
                continuity.current().orElseThrow(() -> continuity.notFollowed(LOG_NAME));
        LogPlace before = now.progress().told();
        try {
            Question.Answer answer = now.question().ask(timeout);
            Optional<Gap> gap = followed.catalog().differs(answer.catalog());
            if (gap.isEmpty() && before != null && isBehind(answer.end(), before)) {
                gap = Optional.of(new Gap(
                        GapReason.PLACE,
                        "the binary log was reset: it ends before the place that was"
                                + " read; keep it longer (binlog_expire_logs_seconds)"));
            }
            gap.ifPresent(found -> end(now, followed, found));
            boolean told = now.progress().await(answer.end(), deadline, ended);
            if (!continuity.isCurrent(followed)) {
                throw continuity.notFollowed(LOG_NAME);
            }
            if (!told) {
                now.follower().restartIfSilent();
                throw new StoreException("the binary log was not read to its end within " + timeout);
            }
        } catch (UnfollowableException e) {
            end(now, followed, e.gap());
            throw continuity.notFollowed(LOG_NAME);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the end of the binary log", e);
        }
    }

    private static boolean isBehind(LogPlace end, LogPlace told) {
        return !end.isOfTheSameLogAs(told) || end.compareTo(told) < 0;
    }

    private static void end(Running now, Continuity.Followed<Catalog> followed, Gap gap) {
        now.continuity().end(followed, gap);
        now.follower().restart();
    }

    @Override
    public void disconnect() {
        Running now = running;
        if (now != null) {
            now.follower().stop();
            now.question().close();
            now.watch().stop();
            try {
                now.thread().join(5_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

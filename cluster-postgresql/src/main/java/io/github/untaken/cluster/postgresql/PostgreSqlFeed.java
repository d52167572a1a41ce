package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.Continuity;
import io.github.untaken.feed.Coverage;
import io.github.untaken.feed.Place;
import io.github.untaken.feed.SameDatabase;
import io.github.untaken.feed.StoreWatch;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's own log, read by logical replication: every process with a feed hears of each identifier that anybody commits.
 *
 * <p>It needs PostgreSQL 15 or newer with {@code wal_level = logical}, a publication that carries the columns with identifiers, and a
 * user that may replicate. What is missing becomes the reason of the {@linkplain ChangeSink#gap gap}, with the SQL to run;
 * meanwhile the database answers. Each process takes one replication slot, one sender and two connections of the server, past any
 * pool. Thread-safe.
 */
public final class PostgreSqlFeed implements ChangeFeed.Resumable, ChangeFeed.Measured {
    static final String LOG_NAME = "PostgreSQL's log";

    private final Server server;
    private final FeedSettings settings;
    private final String owner = UUID.randomUUID().toString();
    private final Marks marks = new Marks(owner);
    private Coverage coverage = Coverage.NONE; // guarded by this
    private boolean resumable; // guarded by this
    private @Nullable Position left; // guarded by this
    private volatile @Nullable Running running; // written under this

    private record Running(
            Follower follower,
            Thread thread,
            Question question,
            Continuity<Catalog> continuity,
            Sweep sweep,
            StoreWatch<Catalog> watch) {}

    private record WatchedLog(Server server, Follower follower) implements StoreWatch.Log {
        @Override
        public Connection open(Duration timeout) throws SQLException {
            return server.plain(timeout);
        }

        @Override
        public SameDatabase.Marks marks(Connection asked) {
            return DatabaseMarks.at(asked);
        }

        @Override
        public Figures measure(Connection asked) throws SQLException {
            Optional<String> slot = follower.read();
            return new Figures(
                    slot.isPresent() ? Optional.ofNullable(Slot.backlog(asked, slot.get())) : Optional.empty(),
                    Optional.of(SharedSlots.readers(asked)));
        }

        @Override
        public void restart() {
            follower.restart();
        }

        @Override
        public void failed(SQLException why) {
            follower.refused(why); // the thread that reads the log finds out about all else
        }
    }

    PostgreSqlFeed(Server server, FeedSettings settings) {
        this.server = server;
        this.settings = settings;
    }

    /**
     * A feed of that database.
     *
     * @param url as PostgreSQL's driver has it; it must lead to the primary, past any pooler, and to the database that the checker's
     *     stores read, with the same search path
     */
    public static PostgreSqlFeedBuilder of(String url) {
        return new PostgreSqlFeedBuilder(url);
    }

    @Override
    public synchronized Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        coverage = Coverage.of(settings.kinds(), stores);
        return coverage.kinds();
    }

    @Override
    public synchronized void connect(ChangeSink sink) {
        if (running != null) {
            throw new IllegalStateException("this feed is already connected; give each checker its own");
        }
        List<Place> watched = coverage.places();
        Continuity<Catalog> continuity = new Continuity<>(sink, marks::abandon);
        Follower follower = new Follower(settings, server, watched, sink, continuity, marks, resumable, left);
        Thread thread = new Thread(follower, "untaken-feed");
        thread.setDaemon(true);
        Question question = new Question(server, "untaken " + owner, settings.publication(), watched);
        Sweep sweep = new Sweep(
                server,
                new SharedSlots(settings.publication(), settings.slots().most()),
                settings.slots().orphanAge());
        StoreWatch<Catalog> watch = new StoreWatch<>(watched, continuity, new WatchedLog(server, follower));
        running = new Running(follower, thread, question, continuity, sweep, watch);
        thread.start();
        sweep.start();
        watch.start();
    }

    @Override
    public Figures figures() {
        Running now = running;
        return now == null ? Figures.UNKNOWN : now.watch().figures();
    }

    /** Resumes from the earlier slot, if the server has kept it, what it says about it fits, and nothing has been altered since. */
    @Override
    public synchronized void resume(Set<String> positions) {
        resumable = true;
        left = Position.lowest(positions).orElse(null);
    }

    /** Empty also if the server drops the slot with its connection: without {@code max_slot_wal_keep_size} and {@code keepSlots}. */
    @Override
    public Optional<String> position() {
        Running now = running;
        return now == null ? Optional.empty() : now.follower().position().map(Position::text);
    }

    @Override
    public void kept(Set<String> positions) {
        Running now = running;
        if (now != null) {
            now.follower()
                    .covers(positions.stream()
                            .flatMap(text -> Position.of(text).stream())
                            .toList());
        }
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new StoreException("the feed is not connected");
        }
        return now;
    }

    @Override
    public void awaitMark(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Running now = running();
        Continuity<Catalog> continuity = now.continuity();
        Continuity.Followed<Catalog> followed =
                continuity.current().orElseThrow(() -> continuity.notFollowed(LOG_NAME));
        Marks.Mark mark = marks.next();
        LockSupport.unpark(now.thread());
        try {
            Catalog answer = now.question().ask(mark.text(), timeout);
            followed.catalog().differs(answer).ifPresent(gap -> {
                continuity.end(followed, gap);
                now.follower().restart();
            });
            mark.isOut();
            boolean told = mark.told().await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (!continuity.isCurrent(followed)) {
                throw continuity.notFollowed(LOG_NAME);
            }
            if (!told) {
                now.follower().restartIfSilent();
                throw new StoreException("PostgreSQL's log did not reach the mark within " + timeout);
            }
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException failure) {
                now.follower().refused(failure);
            }
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for a mark in PostgreSQL's log", e);
        } finally {
            marks.forget(mark);
        }
    }

    @Override
    public void disconnect() {
        Running now = running;
        if (now != null) {
            now.follower().stop();
            now.question().close();
            now.sweep().stop();
            now.watch().stop();
            try {
                now.thread().join(5_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            now.follower().dropSlot();
        }
    }
}

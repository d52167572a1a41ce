package io.github.untaken.log;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.Obstacle;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The database's log, as far as this checker has read it. It reports every commit by anyone to the kinds whose tables
 * the feed covers.
 *
 * <p>Until the feed follows the log, and after each gap, the store answers. A scan that begins once it follows again
 * sees what was committed before, and the feed reports the rest. A feed that has gone silent proves nothing and has
 * lost nothing: its kinds stay ready, and only {@link Freshness} keeps memory from answering.
 */
public final class FollowedLog implements ChangeSink {
    private static final String NOT_YET = "the database's log is not followed yet";

    private final ChangeFeed feed;
    private final Freshness freshness;
    private final Questions questions;
    private final Waiting waiting;
    private final Map<IdentifierKind, FollowedKind> kinds = new ConcurrentHashMap<>();
    private final Set<IdentifierKind> started = ConcurrentHashMap.newKeySet();
    private final AtomicLong told = new AtomicLong();
    private final Map<GapReason, Long> gaps = new ConcurrentHashMap<>();
    private boolean unbroken = true; // guarded by this
    private volatile @Nullable String lastGap;
    private Map<IdentifierKind, Kept> kept = Map.of(); // guarded by this

    /**
     * What an earlier process has left.
     *
     * @param began when the scan that made it began, in nanoseconds of this checker's clock
     */
    public record Kept(KeptGeneration generation, long began) {}

    /** How a check waits for an answer. */
    @FunctionalInterface
    public interface Waiting {
        Waiting ASLEEP = (answer, atMost) -> answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);

        void await(Future<Void> answer, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException;
    }

    /**
     * @param timeout how long a question may take
     * @param thread a single one, for the questions
     */
    public FollowedLog(
            ChangeFeed feed, Freshness freshness, Duration timeout, ScheduledExecutorService thread, Waiting waiting) {
        this.feed = feed;
        this.freshness = freshness;
        this.questions = new Questions(feed, freshness, timeout, thread);
        this.waiting = waiting;
    }

    /** Call this for each of its kinds before {@link #start}. */
    public void follow(FollowedKind followed) {
        kinds.put(followed.kind(), followed);
        followed.generations().raise(Obstacle.LOG_NOT_FOLLOWED, NOT_YET);
    }

    /**
     * Asks several questions within the bound, so that one slow or failed question does not end the lease.
     *
     * @param left what an earlier process has left; the feed was told its positions
     */
    public void start(Map<IdentifierKind, Kept> left) {
        synchronized (this) {
            kept = Map.copyOf(left);
        }
        feed.connect(this);
        questions.askEvery(freshness.bound().dividedBy(4));
    }

    public void close() {
        questions.close();
        feed.disconnect();
    }

    public Freshness freshness() {
        return freshness;
    }

    /** Completes when everything committed before this call is known. */
    public CompletableFuture<Void> latest() {
        return questions.latest();
    }

    /** Why kinds that are ready ask the database all the same: the news is too old. Empty while it is not. */
    public Optional<String> silence() {
        if (freshness.holds(freshness.lease())) {
            return Optional.empty();
        }
        String failure = questions.failure();
        return Optional.of("news from the database's log is older than "
                + freshness.bound().toMillis() + " ms, so the database answers every check until newer news comes"
                + (failure == null ? "" : "; the last question failed (" + failure + ")"));
    }

    /**
     * Whether, on return, everything committed before this call is known. Does not wait while there is no news and no
     * question is answered, as on a node that is cut off.
     */
    public boolean hearsAll(Duration atMost) {
        boolean cutOff = !freshness.holds(freshness.lease()) && !questions.areAnswered();
        return !cutOff && heard(latest(), atMost);
    }

    /** Whether the answer has come, or comes in time. */
    boolean heard(CompletableFuture<Void> asked, Duration atMost) {
        try {
            waiting.await(asked, atMost);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false; // counted where it was asked
        }
    }

    public Collection<FollowedKind> kinds() {
        return List.copyOf(kinds.values());
    }

    /**
     * How well the log is followed.
     *
     * @param latest whether each check of the kind asks for the latest
     */
    public KindStats.Following stats(boolean latest) {
        return new KindStats.Following(
                new KindStats.Lease(Optional.ofNullable(freshness.age()), freshness.bound()),
                told.get(),
                new KindStats.Questions(questions.answered(), questions.failed()),
                new KindStats.Gaps(gapsByReason(), Optional.ofNullable(lastGap)),
                latest,
                feed instanceof ChangeFeed.Measured measured ? measured.figures() : ChangeFeed.Figures.UNKNOWN);
    }

    private Map<GapReason, Long> gapsByReason() {
        Map<GapReason, Long> counted = new EnumMap<>(GapReason.class);
        for (GapReason reason : GapReason.values()) {
            counted.put(reason, gaps.getOrDefault(reason, 0L));
        }
        return Collections.unmodifiableMap(counted);
    }

    /** Whether a scan must prove that it sees what stood in the log before it. */
    public boolean runsAhead() {
        return feed.runsAhead();
    }

    // ---------------------------------------------------------------- called by the feed

    @Override
    public void registered(IdentifierKind kind, String value) {
        told.incrementAndGet();
        FollowedKind followed = kinds.get(kind);
        if (followed != null) {
            followed.committed(value);
        }
    }

    @Override
    public synchronized void gap(GapReason reason, String detail) {
        if (unbroken) { // otherwise the call says why the log is still not followed
            unbroken = false;
            gaps.merge(reason, 1L, Long::sum);
        }
        lastGap = detail;
        for (FollowedKind followed : List.copyOf(kinds.values())) {
            followed.generations().raise(Obstacle.LOG_NOT_FOLLOWED, detail);
        }
    }

    @Override
    public synchronized void resumed() {
        begin(kept);
    }

    @Override
    public synchronized void following() {
        begin(Map.of());
    }

    private void begin(Map<IdentifierKind, Kept> left) {
        kept = Map.of();
        unbroken = true;
        for (FollowedKind followed : List.copyOf(kinds.values())) {
            boolean stood = followed.generations().lift(Obstacle.LOG_NOT_FOLLOWED);
            if (!started.contains(followed.kind())) {
                start(followed, left.get(followed.kind()));
                started.add(followed.kind()); // a start that fails is a gap, after which it is tried again
            } else if (stood) {
                followed.generations().requestBirth(); // paced, since the log may come and go
            }
        }
    }

    private void start(FollowedKind followed, @Nullable Kept left) {
        if (left == null) {
            followed.start();
        } else {
            followed.start(left, this);
        }
    }
}

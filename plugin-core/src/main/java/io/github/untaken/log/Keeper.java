package io.github.untaken.log;

import io.github.untaken.IdentifierKind;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.log.FollowedLog.Kept;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFacts;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.Lease;
import io.github.untaken.memory.Scanned;
import io.github.untaken.memory.Served;
import io.github.untaken.memory.Snapshots;
import io.github.untaken.memory.View;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.IdentifierNormalizer.Named;
import io.github.untaken.text.Fold;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes what serves to disk, at intervals and at the end, for the next process. Only {@code READY} generations are
 * kept. Once a kind is not {@code READY}, its file is deleted: whatever the reason, a restart then scans.
 */
/*
 * A file states that its generation holds everything that the log reports up to this position. So the position is asked
 * for before anything is copied. Afterwards the view must still be the one whose generation is copied: a gap may have
 * ended one stretch of the log, and the position may belong to the next.
 */
public final class Keeper {
    private static final String WHAT = "Writing a snapshot";
    /** A separate name, since a look that succeeds does not mean that its file was written. */
    private static final String LOOK = "The periodic check of snapshots";

    private final Snapshots snapshots;
    private final ChangeFeed.Resumable feed;
    private final Freshness clocks;
    private final Duration interval;
    private final HashAlgorithm algorithm;
    private final Generation.Limits limits;
    private final FaultLog faults = new FaultLog("io.github.untaken");
    private final Map<IdentifierKind, OnDisk> files = new LinkedHashMap<>(); // guarded by this
    private Set<String> told = Set.of(); // guarded by this
    private long toldAt; // guarded by this
    private boolean closed; // guarded by this

    private static final class OnDisk {
        final FollowedKind followed;
        final GenerationFacts facts;
        /** What the file covers; empty if there is no valid one. */
        Optional<String> position = Optional.empty();

        @Nullable Long scan; // start of the scan whose generation was tried last

        long due;

        OnDisk(FollowedKind followed, GenerationFacts facts) {
            this.followed = followed;
            this.facts = facts;
        }
    }

    /**
     * @param interval longest time until the next file is written
     * @param limits how much a generation keeps beside its filter
     */
    public Keeper(
            Snapshots snapshots,
            ChangeFeed.Resumable feed,
            Freshness clocks,
            Duration interval,
            HashAlgorithm algorithm,
            Generation.Limits limits) {
        this.snapshots = snapshots;
        this.feed = feed;
        this.clocks = clocks;
        this.interval = interval;
        this.algorithm = algorithm;
        this.limits = limits;
    }

    /**
     * Reads what an earlier process has left, and tells the feed. Called once, before the feed is connected; blocks on
     * the disk.
     */
    public synchronized Map<IdentifierKind, Kept> read(Collection<FollowedKind> all) {
        Map<IdentifierKind, Kept> left = new HashMap<>();
        for (FollowedKind followed : all) {
            String kind = followed.kind().toString();
            Optional<String> mark = markOf(followed);
            if (mark.isEmpty()) {
                delete(kind);
                continue;
            }
            OnDisk file = new OnDisk(followed, new GenerationFacts(kind, mark.get(), algorithm));
            files.put(followed.kind(), file);
            read(file).ifPresent(kept -> {
                file.position = Optional.of(kept.generation().position());
                left.put(followed.kind(), kept);
            });
        }
        told = positions();
        toldAt = clocks.now().nanos();
        if (!files.isEmpty()) {
            feed.resume(told);
        }
        return left;
    }

    private Optional<String> markOf(FollowedKind followed) {
        String why;
        try {
            if (!followed.stores().canBeToldFromOthers()) {
                why = "a store does not name its database and column; implement"
                        + " RegisteredIdentifierStore.InColumn and Identified";
            } else if (followed.normalizer() instanceof Named named) {
                return Optional.of(NormalizerMark.of(named.name(), named));
            } else {
                why = "its normalizer has no name; implement IdentifierNormalizer.Named";
            }
        } catch (RuntimeException e) {
            why = "its normalizer failed with " + e.getClass().getName();
        }
        faults.say(
                System.Logger.Level.INFO,
                "No snapshot of kind {0} is kept, so every start scans: {1}",
                followed.kind(),
                why);
        return Optional.empty();
    }

    private Optional<Kept> read(OnDisk file) {
        try {
            return snapshots
                    .read(file.facts, Fold.byKey(file.followed.normalizer()), limits)
                    .map(kept -> new Kept(kept, began(file, kept)));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // A RuntimeException's message may contain anything.
            faults.say(
                    System.Logger.Level.WARNING,
                    KeptGeneration.NOT_RESUMED,
                    file.facts.kind(),
                    e instanceof IOException || e instanceof Unfit
                            ? e.getMessage()
                            : e.getClass().getName());
            return Optional.empty();
        }
    }

    /** When its scan began, by the monotonic clock. */
    private long began(OnDisk file, KeptGeneration kept) {
        Lease now = clocks.now();
        Duration age = Duration.ofMillis(now.millis() - kept.scanned().at().toEpochMilli());
        if (age.isNegative()) {
            throw new Unfit("the system clock was set back since it was written");
        }
        if (age.compareTo(file.followed.mostAge()) > 0) {
            throw new Unfit("its scan is older than the rescan interval allows");
        }
        return now.nanos() - age.toNanos();
    }

    /** Starts to look at each tick whether something must be written. */
    public void start(ScheduledExecutorService thread, Duration tick) {
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                () -> faults.survive(LOOK, () -> look(false)), tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Writes a last time, and frees the folder for the next checker. The feed must still be connected. An interrupt is
     * deferred until that is done: it would close the file during the write.
     */
    public synchronized void close() {
        boolean interrupted = Thread.interrupted();
        try {
            closeNow();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeNow() {
        faults.survive(LOOK, () -> look(true));
        closed = true;
        try {
            snapshots.close();
        } catch (IOException e) {
            faults.failed("Closing the snapshot folder", e);
        }
    }

    private synchronized void look(boolean last) {
        if (closed) {
            return;
        }
        files.values().forEach(file -> look(file, last));
        Set<String> positions = positions();
        long now = clocks.now().nanos();
        // Also if nothing can be kept: otherwise the database would keep its log for good.
        if (last || !positions.equals(told) || now - toldAt >= interval.toNanos()) {
            told = positions;
            toldAt = now;
            feed.kept(positions);
        }
    }

    private Set<String> positions() {
        return files.values().stream().flatMap(file -> file.position.stream()).collect(Collectors.toUnmodifiableSet());
    }

    private void look(OnDisk file, boolean last) {
        switch (file.followed.generations().view().state()) {
            case READY -> keepIfDue(file, last);
            case DEGRADED -> forget(file);
            default -> {} // what an earlier process left may still be resumed
        }
    }

    private void keepIfDue(OnDisk file, boolean last) {
        Served served = file.followed.served(); // before the view, or the time could be of a later scan
        View view = file.followed.generations().view();
        Generation serving = view.serving();
        if (served == null || serving == null || !view.ready()) {
            return;
        }
        long now = clocks.now().nanos();
        boolean isNew = file.scan == null || file.scan != served.began();
        if (!last && !isNew && now - file.due < 0) {
            return;
        }
        file.scan = served.began();
        file.due = now + interval.toNanos();
        try {
            Optional<String> position =
                    snapshots.keep(file.facts, scanned(served), () -> positionOf(file.followed, view), serving);
            if (position.isPresent()) {
                file.position = position;
                faults.ended(WHAT);
            } else {
                file.scan = null; // tried again at the next look
            }
        } catch (IOException | RuntimeException | Error e) {
            // The log must not be held back for a file that cannot be replaced.
            forget(file);
            file.scan = served.began();
            faults.failed(WHAT, e);
        }
    }

    private Optional<String> positionOf(FollowedKind followed, View view) {
        return feed.position().filter(reached -> followed.generations().unchanged(view));
    }

    private Scanned scanned(Served served) {
        Lease now = clocks.now();
        long age = TimeUnit.NANOSECONDS.toMillis(now.nanos() - served.began());
        return new Scanned(served.database(), Instant.ofEpochMilli(now.millis() - age));
    }

    private void forget(OnDisk file) {
        file.scan = null;
        if (file.position.isPresent()) {
            file.position = Optional.empty();
            delete(file.facts.kind());
        }
    }

    /** If that fails, the leftover file is of no use anyway: the log goes on without it. */
    private void delete(String kind) {
        try {
            snapshots.forget(kind);
        } catch (IOException | RuntimeException e) {
            faults.failed("Deleting a snapshot", e);
        }
    }

    private static final class Unfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unfit(String reason) {
            super(reason);
        }
    }
}

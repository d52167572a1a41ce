package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.log.FollowedLog;
import io.github.untaken.memory.Clocks;
import io.github.untaken.memory.CoarseFilter;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.KeptGeneration;
import io.github.untaken.memory.Scanned;
import io.github.untaken.memory.View;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.store.Stores;
import io.github.untaken.text.Fold;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/** One process of the simulation: a real registry that follows a simulated feed, with clocks and schedules of its own. */
final class ClusterNode {
    /** What it needs of the world. */
    interface World extends ClusterFeed.Surroundings, FollowedLog.Waiting {
        long now();

        /** The node asks its memory, and is at some point within; only on the thread of a check. */
        void within(ClusterNode node);

        void proved(ClusterNode node);

        void swapped();

        /** What was kept serves. */
        void wentOn();
    }

    /** A check that waits for its read. */
    record Asked(ClusterSimulation.Before before, StoreAnswers.Question question) {}

    private static final int MOST_READS = 100;

    final int number;
    final boolean latest;
    final ClusterFeed feed;
    final RegisteredKind registered;
    final Kinds kinds;
    final VirtualSchedule rebuilds = new VirtualSchedule(this::running);
    final VirtualSchedule questions = new VirtualSchedule(this::running);
    final ArrayDeque<Runnable> queuedReads = new ArrayDeque<>();
    final List<Asked> asked = new ArrayList<>();
    int runningReads;

    private final World world;
    private final SplittableRandom random;
    private final ClusterProfile profile;
    private final SimulatedStore store;
    private final FollowedLog log;
    private final long origin;
    private long stoodStill;
    private long pausedSince;
    private int pauses;
    private KeptGeneration left;
    private long wallSetBy;

    ClusterNode(
            int number,
            World world,
            SplittableRandom random,
            ClusterProfile profile,
            SimulatedStore store,
            ClusterLog changes) {
        this.number = number;
        this.world = world;
        this.random = random;
        this.profile = profile;
        this.store = store;
        this.latest = random.nextInt(100) < profile.percentLatest();
        // The clock has no meaning but by differences, and may run over.
        this.origin = random.nextInt(4) == 0 ? Long.MAX_VALUE - random.nextLong(10_000_000_000L) : 0;
        this.feed = new ClusterFeed(changes, random, this::nanos, world);
        Freshness freshness = new Freshness(profile.bound(), new Clocks(this::nanosWithin, this::millis));
        this.log = new FollowedLog(feed, freshness, profile.bound().multipliedBy(2), questions, world);
        this.registered = new RegisteredKind(
                new KindTerms(
                        KIND,
                        SimulatedNames.NORMALIZER,
                        new Stores(List.of(store)),
                        CatalogLease.Terms.UNASKED,
                        new KindTerms.Policy(latest, false),
                        new KindTerms.Workers(this::queueRead, rebuilds, Runnable::run)),
                profile.settings(this::generation, this::nanos, new GuardedListener(new Listener(), Runnable::run)),
                log);
        this.kinds = new Kinds(Map.of(
                KIND, new KindChecker(Rules.of(KIND, SimulatedNames.NORMALIZER, ReservedNames.none()), registered)));
    }

    void start() {
        start(null);
    }

    /** @param found null if there is nothing */
    void start(KeptGeneration found) {
        left = found;
        feed.resume(found == null ? Set.of() : Set.of(found.position()));
        log.start(found == null ? Map.of() : Map.of(KIND, new FollowedLog.Kept(found, nanos())));
    }

    /** As the keeper does it: the view, the position, the view again, and then the copy. */
    void keep() {
        View view = registered.generations().view();
        Generation serving = view.serving();
        Optional<String> position = feed.position();
        if (!view.ready() || serving == null) {
            left = view.state() == KindState.DEGRADED ? null : left;
        } else if (position.isPresent() && registered.generations().unchanged(view)) {
            Generation copy = generation(serving.fold(), 1);
            for (int key = 0; key < profile.names(); key++) {
                String text = SimulatedNames.keyText(key);
                if (serving.mightContain(text)) {
                    copy.add(text);
                }
            }
            copy.scanned();
            left = new KeptGeneration(
                    copy, new Scanned(registered.stores().identity(List.of()), Instant.EPOCH), position.get());
            feed.kept(Set.of(position.get()));
        }
    }

    /** What is on its disk; null if nothing is. */
    KeptGeneration left() {
        return left;
    }

    /** As a process ends: nobody hears of it any more. */
    void end() {
        registered.close();
        log.close();
    }

    private final class Listener implements CheckListener {
        @Override
        public void rebuilt(IdentifierKind kind, long rows, long nanos) {
            world.swapped();
        }

        @Override
        public void stateChanged(IdentifierKind kind, KindState state, String reason) {
            if (state == KindState.READY
                    && left != null
                    && isKept(registered.generations().view().serving())) {
                world.wentOn();
            }
        }

        private boolean isKept(Generation serving) {
            return serving == left.generation();
        }

        @Override
        public void missProved(IdentifierKind kind) {
            world.proved(ClusterNode.this);
        }
    }

    // ---------------------------------------------------------------- clocks

    /** Since it was started, without its pauses. */
    private long running() {
        return (pauses > 0 ? pausedSince : world.now()) - stoodStill;
    }

    private long nanos() {
        return origin + running();
    }

    private long nanosWithin() {
        world.within(this);
        return nanos();
    }

    private long millis() {
        return 1_000_000 + world.now() / 1_000_000 + wallSetBy;
    }

    boolean isPaused() {
        return pauses > 0;
    }

    void pause() {
        if (pauses++ == 0) {
            pausedSince = world.now();
        }
    }

    void goOn() {
        if (--pauses == 0) {
            stoodStill += world.now() - pausedSince;
        }
    }

    void setWallBy(long millis) {
        wallSetBy += millis;
    }

    // ---------------------------------------------------------------- what the registry is made of

    private void queueRead(Runnable read) {
        if (queuedReads.size() >= MOST_READS) {
            throw new RejectedExecutionException("full");
        }
        queuedReads.add(read);
    }

    private Generation generation(Fold fold, long planned) {
        long room = 64 + 4L * store.rows();
        MembershipFilter filter =
                CoarseFilter.of(MembershipFilters.of(profile.filter(), room), profile.filterBits(), room);
        KeyHasher hasher = KeyHasher.of(random.nextLong(), random.nextLong());
        return new Generation(fold, hasher, new Watched(filter), profile.limits());
    }

    /** A filter before whose answer, and after it, something else may happen. */
    private final class Watched implements MembershipFilter {
        private final MembershipFilter filter;

        Watched(MembershipFilter filter) {
            this.filter = filter;
        }

        @Override
        public boolean add(long hash) {
            return filter.add(hash);
        }

        @Override
        public boolean mightContain(long hash) {
            world.within(ClusterNode.this);
            boolean answer = filter.mightContain(hash);
            world.within(ClusterNode.this);
            return answer;
        }

        @Override
        public void mightContainAll(long[] hashes, boolean[] results) {
            world.within(ClusterNode.this);
            filter.mightContainAll(hashes, results);
            world.within(ClusterNode.this);
        }

        @Override
        public long entries() {
            return filter.entries();
        }

        @Override
        public long capacity() {
            return filter.capacity();
        }

        @Override
        public long bytes() {
            return filter.bytes();
        }
    }
}

package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** One node's view of the simulated log: late, silent, told again, or lost. What it does next, the scheduler says. */
final class ClusterFeed implements ChangeFeed.Resumable {
    /** What happens around a question. */
    interface Surroundings {
        /** Other things happen; false if the question has waited long enough. */
        boolean letPass();

        /** Whether something fails now that can. */
        boolean fails();

        /** Whether a question that is asked now finds everybody at once. */
        boolean atOnce();
    }

    private final ClusterLog log;
    private final SplittableRandom random;
    private final LongSupplier nanoTime;
    private final Surroundings surroundings;
    private ChangeSink sink;
    private boolean connected;
    private boolean following;
    private boolean gapTold = true;
    private int position;
    private int reached;
    private int connection;
    private boolean disconnected;
    private int stalls;
    /** Where an earlier process has stopped, if it can be gone on with and has not been yet. */
    private OptionalInt earlier = OptionalInt.empty();

    int gaps;

    ClusterFeed(ClusterLog log, SplittableRandom random, LongSupplier nanoTime, Surroundings surroundings) {
        this.log = log;
        this.random = random;
        this.nanoTime = nanoTime;
        this.surroundings = surroundings;
    }

    @Override
    public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return Set.of(KIND);
    }

    @Override
    public void connect(ChangeSink told) {
        sink = told;
    }

    @Override
    public void disconnect() {
        connected = false;
        disconnected = true;
    }

    // ---------------------------------------------------------------- a later process

    @Override
    public void resume(Set<String> positions) {
        earlier = positions.stream().mapToInt(Integer::parseInt).min();
    }

    @Override
    public Optional<String> position() {
        return connected && following ? Optional.of(String.valueOf(reached)) : Optional.empty();
    }

    @Override
    public void kept(Set<String> positions) {}

    /** The slot of then is there, and the server is somewhat behind what was confirmed. */
    private void goOn(int from) {
        connection++;
        connected = true;
        following = true;
        position = Math.max(0, from - (random.nextBoolean() ? random.nextInt(6) : 0));
        reached = position;
        sink.resumed();
    }

    // ---------------------------------------------------------------- what the scheduler picks

    /** Some steps of what the feed's thread does. */
    void step() {
        if (stalls > 0) {
            stalls--;
            return;
        }
        if (!connected && earlier.isPresent()) {
            int from = earlier.getAsInt();
            earlier = OptionalInt.empty();
            if (random.nextInt(6) > 0) {
                goOn(from);
            } else {
                reconnect(); // the slot has gone
            }
        } else if (!connected) {
            reconnect();
        } else if (!following && random.nextBoolean()) {
            follow();
        }
        for (int n = random.nextInt(4); n > 0 && connected; n--) {
            tell();
        }
    }

    /** It stands still, tells again, or loses its place. */
    void trouble(boolean mayLose) {
        int dice = random.nextInt(mayLose ? 6 : 2);
        switch (dice) {
            case 0 -> stalls = random.nextInt(40);
            case 1 ->
                position = Math.max(0, position - random.nextInt(12)); // the connection was cut, the slot is there
            case 2 -> lose(); // and nobody has noticed
            default -> {
                lose();
                tellOfGap();
                if (dice > 3) {
                    reconnect();
                }
            }
        }
    }

    private void lose() {
        gapTold &= !connected;
        connected = false;
        following = false;
    }

    private void tellOfGap() {
        if (!gapTold) {
            gapTold = true;
            gaps++;
            sink.gap(GapReason.PLACE, "the slot was lost, for the " + gaps + "th time");
        }
    }

    /** A new slot: whatever can be seen by now is not told of. */
    private void reconnect() {
        tellOfGap();
        connection++;
        connected = true;
        position = Math.max(0, log.allVisibleBefore() - (random.nextInt(4) == 0 ? random.nextInt(6) : 0));
        reached = position;
        if (random.nextBoolean()) {
            follow();
        }
    }

    private void follow() {
        following = true;
        sink.following();
    }

    private void tell() {
        if (position == log.size()) {
            return;
        }
        ClusterLog.Commit commit = log.entry(position);
        for (int value : commit.values) {
            sink.registered(KIND, SimulatedNames.text(value));
        }
        position++;
        reached = Math.max(reached, position);
    }

    /** Everything is told at last. */
    void finish() {
        stalls = 0;
        if (!connected) {
            reconnect();
        }
        if (!following) {
            follow();
        }
        while (position < log.size()) {
            tell();
        }
    }

    // ---------------------------------------------------------------- questions

    @Override
    public void awaitMark(Duration timeout) {
        int asked = connection;
        long began = nanoTime.getAsLong();
        wait(began, timeout);
        int mark = log.mark();
        while (reached <= mark || surroundings.fails()) {
            if (surroundings.atOnce() && connected && stalls == 0) {
                tell();
            } else {
                wait(began, timeout);
            }
        }
        if (!connected || connection != asked) {
            throw new StoreException("the simulated log is another one");
        }
    }

    private void wait(long began, Duration timeout) {
        if (disconnected || surroundings.fails()) {
            throw new StoreException("the simulated question fails");
        }
        if (!surroundings.letPass() || nanoTime.getAsLong() - began > timeout.toNanos()) {
            throw new StoreException("no mark came in time");
        }
    }
}

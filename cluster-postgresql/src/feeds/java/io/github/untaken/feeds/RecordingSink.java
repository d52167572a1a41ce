package io.github.untaken.feeds;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Remembers exactly what it was told. */
public class RecordingSink implements ChangeSink {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Set<String> told = new HashSet<>(); // guarded by this, as all below
    private final List<String> gaps = new ArrayList<>();
    private int stretches;
    private int resumed;
    private boolean following;

    @Override
    public synchronized void registered(IdentifierKind kind, String value) {
        told.add(kind + " " + value);
        notifyAll();
    }

    @Override
    public synchronized void gap(GapReason reason, String detail) {
        following = false;
        gaps.add(reason + ": " + detail);
        notifyAll();
    }

    @Override
    public synchronized void following() {
        following = true;
        stretches++;
        notifyAll();
    }

    @Override
    public synchronized void resumed() {
        following();
        resumed++;
    }

    /** How often what was left has been gone on with. */
    public synchronized int resumptions() {
        return resumed;
    }

    public synchronized boolean knows(String username) {
        return told.contains("username " + username);
    }

    /** What it was told, with its kind before it. */
    public synchronized Set<String> told() {
        return new HashSet<>(told);
    }

    public synchronized int size() {
        return told.size();
    }

    /** Each with its reason before it. */
    public synchronized List<String> gaps() {
        return List.copyOf(gaps);
    }

    public synchronized boolean isFollowing() {
        return following;
    }

    /** How often it has been told that all is followed from now on. */
    public synchronized int stretches() {
        return stretches;
    }

    /** The number of the present one; 0 if nothing is followed. */
    public synchronized int stretchNow() {
        return following ? stretches : 0;
    }

    public void awaitFollowing() {
        await("following", this::isFollowing);
    }

    public void awaitStretch(int number) {
        await("stretch " + number, () -> isFollowing() && stretches() >= number);
    }

    /** That all is followed, or why it is not. */
    public void awaitNews() {
        await("news", () -> isFollowing() || !gaps().isEmpty());
    }

    public String awaitGap(String part) {
        await("a gap for: " + part, () -> gaps().stream().anyMatch(gap -> gap.contains(part)));
        return gaps().stream().filter(gap -> gap.contains(part)).findFirst().orElseThrow();
    }

    public void awaitTold(String username) {
        await(username, () -> knows(username));
    }

    /** Whatever changes here wakes it. */
    public synchronized void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError("not in time: " + what + "; gaps: " + gaps);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}

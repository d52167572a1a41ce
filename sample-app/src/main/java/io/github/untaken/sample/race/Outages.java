package io.github.untaken.sample.race;

import io.github.untaken.sample.experiment.Turn;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the database away once in a while, for a few seconds, but only while somebody looks who was told beforehand. It brings
 * the database back whoever looks. What somebody else has stopped stays stopped. Thread-safe.
 */
public final class Outages implements AutoCloseable {
    static final Duration LASTS = Duration.ofSeconds(5);

    /** From the first look to the first one: time to read what it is about. */
    private static final Duration FIRST = Duration.ofSeconds(15);

    private static final long WATCHED_NANOS = 3_000_000_000L;
    private static final long TICK_NANOS = 100_000_000;

    /** Ends the database, and opens it again. */
    public interface Switch {
        /** False if it did not run. */
        boolean stop();

        /** Whether it runs. */
        boolean start();
    }

    private final Duration every;
    private final Switch database;
    private final Turn turn;
    private final LongSupplier nanoTime;
    private final Thread thread = new Thread(this::run, "outages");
    private volatile boolean closed;
    private volatile long watched;
    private volatile boolean everWatched;

    // written by whoever ticks
    private long before;
    private volatile long untilNext;
    private volatile boolean stopped;
    private volatile long since;

    /**
     * @param every from one to the next, as long as somebody looks; none if it is zero
     * @param turn taken while the database is stopped or started, not in between
     */
    public Outages(Duration every, Switch database, Turn turn, LongSupplier nanoTime) {
        this.every = every;
        this.database = database;
        this.turn = turn;
        this.nanoTime = nanoTime;
        thread.setDaemon(true);
        this.before = nanoTime.getAsLong();
        this.untilNext = Math.min(FIRST.toNanos(), every.toNanos());
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                tick();
            } catch (RuntimeException e) { // or the database would stay stopped
                System.getLogger(Outages.class.getName())
                        .log(System.Logger.Level.WARNING, "The database could not be stopped or started", e);
            }
            LockSupport.parkNanos(this, TICK_NANOS);
        }
    }

    /** Somebody looks who is told. */
    public void watch() {
        watched = nanoTime.getAsLong();
        everWatched = true;
    }

    void tick() {
        long now = nanoTime.getAsLong();
        long passed = now - before;
        before = now;
        boolean watching = everWatched && now - watched < WATCHED_NANOS;
        if (stopped || watching && !every.isZero()) {
            long left = untilNext - passed;
            untilNext = left;
        }
        if (stopped && now - since >= LASTS.toNanos()) {
            withTurn("start", () -> stopped = !database.start());
        } else if (!stopped && watching && !every.isZero() && untilNext <= 0) {
            withTurn("stop", () -> {
                stopped = database.stop();
                since = now;
                untilNext = every.toNanos();
            });
        }
    }

    /** Or not yet, if somebody else has it. */
    private void withTurn(String what, Runnable step) {
        if (turn.take(what)) {
            try {
                step.run();
            } finally {
                turn.leave();
            }
        }
    }

    /** When the next one begins, and when the present one ends; null if there is none. */
    public @Nullable Map<String, Object> json() {
        if (every.isZero()) {
            return null;
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("everySeconds", every.toSeconds());
        body.put("lastsSeconds", LASTS.toSeconds());
        boolean now = stopped;
        body.put("nextInSeconds", now ? null : seconds(untilNext));
        body.put("endsInSeconds", now ? seconds(LASTS.toNanos() - (nanoTime.getAsLong() - since)) : null);
        return body;
    }

    private static long seconds(long nanos) {
        return Math.max(0, (nanos + 999_999_999) / 1_000_000_000);
    }

    /** Returns once its thread touches the database no more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

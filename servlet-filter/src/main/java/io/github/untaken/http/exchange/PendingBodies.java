package io.github.untaken.http.exchange;

import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange;
import io.github.untaken.http.spi.CheckExchange.Arrival;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The form bodies that have not arrived yet: only so many, and each for so long at most, silent or dripping. None holds a thread, and none
 * keeps out a later one: if there are too many, the oldest from the network that has most of them is ended. A body that is complete when
 * its request comes, as nearly all are, does not count. Thread-safe.
 */
public final class PendingBodies {
    private final int most;
    private final long mostNanos;
    private final Later later;
    /** By network, each in order of arrival; guarded by itself. */
    private final Map<String, Set<Arrival>> waiting = new LinkedHashMap<>();

    private int count; // guarded by waiting

    /**
     * None so far.
     *
     * @param most at one time, 1 or more
     * @param mostNanos for each
     */
    public PendingBodies(int most, long mostNanos, Later later) {
        this.most = most;
        this.mostNanos = mostNanos;
        this.later = later;
    }

    /**
     * Has the body read.
     *
     * @param wait makes the front end wait for the answer; run only if the body is not there
     * @param network where the request comes from; asked only if the body is not there
     * @param then called when the body is there or cannot be had, now or by another thread
     */
    public void read(CheckExchange exchange, Runnable wait, Supplier<String> network, Consumer<CheckBody> then) {
        Optional<CheckBody> there = exchange.bodyAtHand();
        if (there.isPresent()) {
            then.accept(there.get());
            return;
        }
        String from = network.get();
        wait.run();
        Awaited awaited = new Awaited(from, then);
        Arrival arrival = exchange.awaitBody(awaited);
        awaited.arrival = arrival;
        awaited.end(arrival);
        enter(from, arrival);
    }

    /** Cancels its deadline and gives up its place when it is over. */
    private final class Awaited implements Consumer<CheckBody> {
        private final String network;
        private final Consumer<CheckBody> then;
        private volatile @Nullable Arrival arrival;
        private volatile @Nullable Future<?> deadline;

        Awaited(String network, Consumer<CheckBody> then) {
            this.network = network;
            this.then = then;
        }

        void end(Arrival late) {
            try {
                Future<?> pending = later.in(mostNanos, late::giveUp);
                deadline = pending;
                if (late.isOver()) {
                    pending.cancel(false);
                }
            } catch (RejectedExecutionException e) {
                // The application is ending; the front end's last resort comes soon enough.
            }
        }

        @Override
        public void accept(CheckBody body) {
            Future<?> pending = deadline;
            if (pending != null) {
                pending.cancel(false);
            }
            Arrival over = arrival;
            if (over != null) {
                leave(network, over);
            }
            then.accept(body);
        }
    }

    private void enter(String network, Arrival body) {
        Arrival oldest = null;
        synchronized (waiting) {
            if (body.isOver()) {
                return;
            }
            waiting.computeIfAbsent(network, any -> new LinkedHashSet<>()).add(body);
            if (++count > most) {
                Map.Entry<String, Set<Arrival>> largest = Collections.max(
                        waiting.entrySet(), Map.Entry.comparingByValue(Comparator.comparing(Set::size)));
                oldest = largest.getValue().iterator().next();
                leave(largest.getKey(), oldest);
            }
        }
        if (oldest != null) {
            oldest.giveUp();
        }
    }

    private void leave(String network, Arrival body) {
        synchronized (waiting) {
            Set<Arrival> ofNetwork = waiting.get(network);
            if (ofNetwork != null && ofNetwork.remove(body)) {
                count--;
                if (ofNetwork.isEmpty()) {
                    waiting.remove(network);
                }
            }
        }
    }
}

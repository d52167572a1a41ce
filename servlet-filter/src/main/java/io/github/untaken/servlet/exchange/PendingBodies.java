package io.github.untaken.servlet.exchange;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The form bodies that have not arrived yet: only so many, and each for so long at most, silent or dripping. None of them holds
 * a thread, and none keeps out one that comes later: where there are too many, the oldest of the network that has most of them is
 * ended. A body that is whole when its request comes, as nearly all are, is none of them. Thread-safe.
 */
public final class PendingBodies {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final int most;
    private final long mostNanos;
    private final Later later;
    private final AtomicBoolean told = new AtomicBoolean();
    /** By network, each in the order in which they came; guarded by itself. */
    private final Map<String, Set<ArrivingBody>> waiting = new LinkedHashMap<>();

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
     * Has the body read. Where that cannot be done without waiting, or somebody else has taken it, the container's parameters
     * take the place of a form, and JSON is waited for.
     *
     * @param network whom the request comes from; asked only if the body is not there
     * @param then is told when it is there or cannot be had, now or by another thread
     */
    public void read(Call call, Supplier<String> network, Consumer<Form> then) {
        ServletInputStream in = stream(call);
        if (in == null) {
            then.accept(parameters(call));
            return;
        }
        ArrivingBody body = new ArrivingBody(call, in, () -> parameters(call));
        Form there = body.ifThere();
        if (there != null) {
            then.accept(there);
            return;
        }
        String from = network.get();
        body.begin(later, mostNanos, form -> {
            leave(from, body);
            then.accept(form);
        });
        enter(from, body);
    }

    private static @Nullable ServletInputStream stream(Call call) {
        try {
            return call.canWait() ? call.request().getInputStream() : null;
        } catch (IOException | RuntimeException e) {
            return null; // somebody has the reader, or the container knows no such charset
        }
    }

    private void enter(String network, ArrivingBody body) {
        ArrivingBody oldest = null;
        synchronized (waiting) {
            if (body.hasEnded()) {
                return;
            }
            waiting.computeIfAbsent(network, any -> new LinkedHashSet<>()).add(body);
            if (++count > most) {
                Map.Entry<String, Set<ArrivingBody>> largest = Collections.max(
                        waiting.entrySet(), Map.Entry.comparingByValue(Comparator.comparing(Set::size)));
                oldest = largest.getValue().iterator().next();
                leave(largest.getKey(), oldest);
            }
        }
        if (oldest != null) {
            oldest.endTooSlow();
        }
    }

    private void leave(String network, ArrivingBody body) {
        synchronized (waiting) {
            Set<ArrivingBody> ofNetwork = waiting.get(network);
            if (ofNetwork != null && ofNetwork.remove(body)) {
                count--;
                if (ofNetwork.isEmpty()) {
                    waiting.remove(network);
                }
            }
        }
    }

    private Form parameters(Call call) {
        return kinds -> {
            AvailabilityRequest asked = AvailabilityRequest.isJson(call.request())
                    ? BodyBytes.ofJson(call).read(kinds)
                    : AvailabilityRequest.ofParameters(call.request(), kinds);
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        Level.WARNING,
                        "The availability endpoint takes form bodies from the container's parameters, and waits for JSON,"
                                + " since asynchronous support is off for a filter or servlet, or a filter in front has read the"
                                + " body. A thread may wait for a slow body. Map the availability filter first, with"
                                + " asynchronous support");
            }
            return asked;
        };
    }
}

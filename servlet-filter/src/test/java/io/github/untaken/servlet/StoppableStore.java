package io.github.untaken.servlet;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Keys, and a database that can be stopped: then each question waits for its timeout, or until it is started again. */
final class StoppableStore implements OwnedStore {
    private final Set<String> keys;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile CountDownLatch running = new CountDownLatch(0);

    StoppableStore(Set<String> keys) {
        this.keys = keys;
    }

    void stop() {
        running = new CountDownLatch(1);
    }

    void start() {
        running.countDown();
    }

    /** Questions that stand still. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public Presence exists(String key, Duration timeout) {
        waiting.incrementAndGet();
        try {
            if (!running.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new StoreException("the database is stopped");
            }
            return Presence.of(keys.contains(key));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public void scan(Consumer<String> values) {
        keys.forEach(values);
    }
}

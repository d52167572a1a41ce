package io.github.untaken;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store on the registry's own threads, so that no caller's transaction, snapshot or connection is involved.
 *
 * <p>Equal keys share a read, but a question joins only a read that has not been handed to the driver: one that runs may
 * hold a snapshot older than the question. So a key has at most one read running and one waiting.
 */
final class Recheck {

    private static final class Slot {
        private boolean running;
        private @Nullable Read waiting;
    }

    private final class Read implements Runnable {
        private final String key;
        private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

        Read(String key) {
            this.key = key;
        }

        @Override
        public void run() {
            synchronized (slots) {
                Slot slot = slots.get(key);
                if (slot == null || slot.waiting != this) {
                    return; // given up before it began
                }
                slot.waiting = null;
                slot.running = true;
            }
            boolean present = false;
            Throwable failure = null;
            try {
                present = ask(key);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            Read next;
            synchronized (slots) {
                Slot slot = slots.get(key);
                next = slot == null ? null : slot.waiting;
                if (slot != null) {
                    slot.running = false;
                    if (next == null) {
                        slots.remove(key);
                    }
                }
            }
            if (failure == null) {
                answer.complete(present);
            } else {
                answer.completeExceptionally(failure);
            }
            if (next != null) {
                submit(next);
            }
        }
    }

    private final Stores stores;
    private final Duration timeout;
    private final Executor threads;
    private final Function<String, Consumer<Boolean>> observer;
    private final ReadMeter meter;
    private final Map<String, Slot> slots = new HashMap<>();

    /**
     * @param observer called with the key before each read; what it returns is called with the result of a read that
     *     succeeded, before anybody else hears of it
     */
    Recheck(
            Stores stores,
            Duration timeout,
            Executor threads,
            Function<String, Consumer<Boolean>> observer,
            ReadMeter meter) {
        this.stores = stores;
        this.timeout = timeout;
        this.threads = threads;
        this.observer = observer;
        this.meter = meter;
    }

    /** Does not block. Fails with {@link StoreException} if the store does, or if too many reads wait. */
    CompletableFuture<Boolean> read(String key) {
        Read read;
        synchronized (slots) {
            Slot slot = slots.computeIfAbsent(key, k -> new Slot());
            if (slot.waiting != null) {
                return slot.waiting.answer;
            }
            read = new Read(key);
            slot.waiting = read;
            if (slot.running) {
                return read.answer; // handed over when the running one ends
            }
        }
        submit(read);
        return read.answer;
    }

    /** Whether a read failed because too many waited, and not in the store. */
    static boolean wasRefused(Throwable failure) {
        return failure.getCause() instanceof RejectedExecutionException;
    }

    private boolean ask(String key) {
        Consumer<Boolean> observation = observer.apply(key);
        long begin = System.nanoTime();
        boolean succeeded = false;
        try {
            boolean present = stores.exists(key, timeout);
            succeeded = true;
            observation.accept(present);
            return present;
        } finally {
            meter.read(System.nanoTime() - begin, succeeded);
        }
    }

    private void submit(Read read) {
        try {
            threads.execute(read);
        } catch (RejectedExecutionException e) {
            synchronized (slots) {
                Slot slot = slots.get(read.key);
                if (slot != null && slot.waiting == read) {
                    slot.waiting = null;
                    if (!slot.running) {
                        slots.remove(read.key);
                    }
                }
            }
            read.answer.completeExceptionally(new StoreException("too many store reads wait already", e));
        }
    }

    /** Receives the duration of each store read. */
    interface ReadMeter {
        void read(long nanos, boolean succeeded);
    }
}

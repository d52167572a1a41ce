package io.github.untaken;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store on the registry's own threads, so that no caller's transaction, snapshot or connection is involved.
 *
 * <p>Equal keys share a read, but a question joins only a read that has not been handed to the driver: one that runs may
 * hold a snapshot older than the question. So a key has at most one read running and one waiting.
 */
final class Recheck {

    /** What a read has shown of a key. */
    enum Finding {
        /** The store finds it. */
        PRESENT,
        /** The store does not find it, but a transaction that registers it is under way. */
        PENDING,
        /** The store does not find it, but holds a value of this key in an odd spelling. */
        ODD,
        /** Nobody had it at the moment of the read. */
        ABSENT,
        /** The store does not find it, and may have it in another spelling. */
        UNCERTAIN
    }

    /** Judges what one read of a key found; made before the read begins. */
    interface Judge {
        /** Null to have the store asked once more, because something happened meanwhile that makes the answer worthless. */
        @Nullable Finding judge(boolean found);
    }

    private static final int MOST_TRIES = 3;

    private static final class Slot {
        private boolean running;
        private @Nullable Read waiting;
    }

    private final class Read implements Runnable {
        private final String key;
        private final CompletableFuture<Finding> answer = new CompletableFuture<>();

        Read(String key) {
            this.key = key;
        }

        @Override
        public void run() {
            if (begin(this)) {
                try {
                    complete(answer, () -> ask(key));
                } finally {
                    end(key);
                }
            }
        }
    }

    private final Stores stores;
    private final Duration timeout;
    private final Executor threads;
    private final Function<String, Judge> judges;
    private final ReadMeter meter;
    private final Map<String, Slot> slots = new HashMap<>();
    private volatile boolean closed;

    /**
     * @param judges called with the key before each read of the store; what it returns judges the result, before anybody else hears
     *     of it
     */
    Recheck(Stores stores, Duration timeout, Executor threads, Function<String, Judge> judges, ReadMeter meter) {
        this.stores = stores;
        this.timeout = timeout;
        this.threads = threads;
        this.judges = judges;
        this.meter = meter;
    }

    /** Does not block. Fails with {@link StoreException} if the store does, or if too many reads wait. */
    CompletableFuture<Finding> read(String key) {
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

    /** Looks for a text that need not be a key. Does not block; fails as {@link #read}; teaches nobody anything. */
    CompletableFuture<Boolean> readText(String text) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> complete(answer, () -> metered(text)));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(refusal(e));
        }
        return answer;
    }

    /** False if the read was given up before it began. */
    private boolean begin(Read read) {
        synchronized (slots) {
            Slot slot = slots.get(read.key);
            if (slot == null || slot.waiting != read) {
                return false;
            }
            slot.waiting = null;
            slot.running = true;
            return true;
        }
    }

    private void end(String key) {
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
        if (next != null) {
            submit(next);
        }
    }

    private static <T> void complete(CompletableFuture<T> answer, Supplier<T> question) {
        try {
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    /** What has not begun by now will not. */
    void close() {
        closed = true;
    }

    /** Whether a read failed because too many waited, and not in the store. */
    static boolean wasRefused(Throwable failure) {
        return failure.getCause() instanceof RejectedExecutionException;
    }

    private Finding ask(String key) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Judge judge = judges.apply(key);
            Finding finding = judge.judge(metered(key));
            if (finding != null) {
                return finding;
            }
        }
        return Finding.UNCERTAIN;
    }

    private boolean metered(String text) {
        if (closed) {
            throw new StoreException("the checker was closed");
        }
        long begin = System.nanoTime();
        try {
            boolean present = stores.exists(text, timeout);
            meter.read(System.nanoTime() - begin, null);
            return present;
        } catch (RuntimeException | Error e) {
            meter.read(System.nanoTime() - begin, e);
            throw e;
        }
    }

    /** Whatever keeps a read from its thread, refusal or error, ends it: nobody may wait for a read that nobody runs. */
    private void submit(Read read) {
        try {
            threads.execute(read);
        } catch (RuntimeException | Error e) {
            synchronized (slots) {
                Slot slot = slots.get(read.key);
                if (slot != null && slot.waiting == read) {
                    slot.waiting = null;
                    if (!slot.running) {
                        slots.remove(read.key);
                    }
                }
            }
            read.answer.completeExceptionally(refusal(e));
        }
    }

    private static StoreException refusal(Throwable cause) {
        return cause instanceof RejectedExecutionException
                ? new StoreException("too many store reads wait already", cause)
                : new StoreException("a store read could not be begun", cause);
    }

    /** Receives the duration of each store read. */
    interface ReadMeter {
        void read(long nanos, @Nullable Throwable failure);
    }
}

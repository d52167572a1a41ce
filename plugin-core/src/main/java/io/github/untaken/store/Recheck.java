package io.github.untaken.store;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 *
 * <p>Keys that wait go together: each read asks for a thread of its own, and the first that gets one takes along what waits by
 * then, in one question if the stores can answer such. So nothing is ever held back, and questions are large only where all
 * threads are busy.
 */
public final class Recheck {

    /** What a read has shown of a key. */
    public enum Finding {
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
    public interface Judge {
        /** Null to have the store asked once more, because something happened meanwhile that makes the answer worthless. */
        @Nullable Finding judge(boolean found);
    }

    private static final int MOST_TRIES = 3;

    private final class Read implements Runnable {
        private final String key;
        private final CompletableFuture<Finding> answer = new CompletableFuture<>();
        private final List<Object> askers =
                new ArrayList<>(2); // guarded by lock while it waits; nobody joins it afterwards

        Read(String key) {
            this.key = key;
        }

        @Override
        public void run() {
            List<Read> begun = new ArrayList<>();
            try {
                begin(this, begun);
                ask(begun);
            } catch (RuntimeException | Error e) {
                giveUp(this, e);
                for (Read read : begun) {
                    read.answer.completeExceptionally(e);
                }
            } finally {
                for (Read read : begun) {
                    end(read);
                }
            }
        }
    }

    private final Stores stores;
    private final int mostKeys;
    private final Duration timeout;
    private final Executor threads;
    private final Function<String, Judge> judges;
    private final ReadMeter meter;
    private final Object lock = new Object();
    private final Map<String, Read> waiting = new LinkedHashMap<>(); // by key, the oldest first; guarded by lock
    private final Set<String> running = new HashSet<>(); // guarded by lock
    private volatile boolean closed;

    /**
     * @param judges called with the key before each read of the store; what it returns judges the result, before anybody else hears
     *     of it
     */
    public Recheck(Stores stores, Duration timeout, Executor threads, Function<String, Judge> judges, ReadMeter meter) {
        this.stores = stores;
        this.mostKeys = stores.mostKeys();
        this.timeout = timeout;
        this.threads = threads;
        this.judges = judges;
        this.meter = meter;
    }

    /** Does not block. Fails with {@link StoreException} if the store does, or if too many reads wait. */
    public CompletableFuture<Finding> read(String key) {
        return read(key, null);
    }

    /**
     * As {@link #read(String)}, for somebody whom the meter is told of.
     *
     * @param asker named with this read, beside the others who join it; null for nobody
     */
    public CompletableFuture<Finding> read(String key, @Nullable Object asker) {
        Read read;
        boolean joined;
        synchronized (lock) {
            Read same = waiting.get(key);
            joined = same != null || running.contains(key); // it asks for a thread when the running one ends
            read = same != null ? same : new Read(key);
            if (same == null) {
                waiting.put(key, read);
            }
            if (asker != null) {
                read.askers.add(asker);
            }
        }
        if (joined) {
            return read.answer;
        }
        submit(read);
        return read.answer;
    }

    /** Looks for a text that need not be a key. Does not block; fails as {@link #read}; teaches nobody anything. */
    public CompletableFuture<Boolean> readText(String text) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> complete(answer, () -> metered(List.of(), () -> stores.exists(text, timeout))));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(refusal(e));
        }
        return answer;
    }

    /**
     * Adds this read, and those that go with it, to what has begun; none if it has gone with another, or was given up.
     */
    private void begin(Read own, List<Read> begun) {
        synchronized (lock) {
            if (waiting.get(own.key) != own) {
                return;
            }
            begun.add(own);
            running.add(own.key);
            waiting.remove(own.key);
            Iterator<Read> others = waiting.values().iterator();
            while (begun.size() < mostKeys && others.hasNext()) {
                Read other = others.next();
                if (!running.contains(other.key)) {
                    begun.add(other);
                    running.add(other.key);
                    others.remove();
                }
            }
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
    public void close() {
        closed = true;
    }

    /** Whether a read failed because too many waited, and not in the store. */
    public static boolean wasRefused(Throwable failure) {
        return failure.getCause() instanceof RejectedExecutionException;
    }

    /** Whom one question for all leaves without an answer, each is asked for alone, within the time of that question. */
    private void ask(List<Read> reads) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Read> alone = reads.size() > 1 ? askTogether(reads) : reads;
        for (Read read : alone) {
            complete(read.answer, () -> ask(read, deadline));
        }
    }

    /** Those without an answer: whose judge wants another, or all, if one key spoils the question for the rest. */
    private List<Read> askTogether(List<Read> reads) {
        try {
            List<String> keys = reads.stream().map(read -> read.key).toList();
            List<Judge> made = keys.stream().map(judges).toList();
            boolean[] found = metered(reads, () -> stores.existEach(keys, timeout));
            for (int i = 0; i < found.length; i++) {
                Finding finding = made.get(i).judge(found[i]);
                if (finding != null) {
                    reads.get(i).answer.complete(finding);
                }
            }
        } catch (RuntimeException | Error e) {
            // Metered if it is the store's; and whose it is will meet it again.
        }
        return reads.stream().filter(read -> !read.answer.isDone()).toList();
    }

    private Finding ask(Read read, long deadline) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Judge judge = judges.apply(read.key);
            Finding finding = judge.judge(metered(List.of(read), () -> stores.exists(read.key, until(deadline))));
            if (finding != null) {
                return finding;
            }
        }
        return Finding.UNCERTAIN;
    }

    private Duration until(long deadline) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new StoreException("the store took longer than " + timeout);
        }
        return Duration.ofNanos(left);
    }

    private <T> T metered(List<Read> reads, Supplier<T> question) {
        if (closed) {
            throw new StoreException("the checker was closed");
        }
        long begin = System.nanoTime();
        try {
            T answer = question.get();
            tell(reads, System.nanoTime() - begin, null);
            return answer;
        } catch (RuntimeException | Error e) {
            tell(reads, System.nanoTime() - begin, e);
            throw e;
        }
    }

    private void tell(List<Read> reads, long nanos, @Nullable Throwable failure) {
        List<Object> askers = new ArrayList<>();
        reads.forEach(read -> askers.addAll(read.askers));
        meter.read(askers, Math.max(1, reads.size()), nanos, failure);
    }

    /** Reads that wait for a thread, or for the one of the same key that runs. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** Whatever keeps a read from its thread, refusal or error, ends it: nobody may wait for a read that nobody runs. */
    private void submit(Read read) {
        try {
            threads.execute(read);
        } catch (RuntimeException | Error e) {
            giveUp(read, refusal(e));
        }
    }

    private void end(Read ended) {
        Read next;
        synchronized (lock) {
            running.remove(ended.key);
            next = waiting.get(ended.key);
        }
        if (next != null) {
            submit(next);
        }
    }

    /** Unless it has gone with another. */
    private void giveUp(Read read, Throwable why) {
        synchronized (lock) {
            if (!waiting.remove(read.key, read)) {
                return;
            }
        }
        read.answer.completeExceptionally(why);
    }

    private static StoreException refusal(Throwable cause) {
        return cause instanceof RejectedExecutionException
                ? new StoreException("too many store reads wait already", cause)
                : new StoreException("a store read could not be begun", cause);
    }

    /** Told of each question to the store. */
    public interface ReadMeter {
        /**
         * The store has answered or failed.
         *
         * @param askers of all keys of the question
         * @param keys how many those are
         */
        void read(List<Object> askers, int keys, long nanos, @Nullable Throwable failure);
    }
}

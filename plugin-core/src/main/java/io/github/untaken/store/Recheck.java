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
 * <p>Equal texts share a read, but a question joins only a read that has not been handed to the driver: one that runs may
 * hold a snapshot older than the question. So a text has at most one read running and one waiting.
 *
 * <p>Texts that wait go together: each read asks for a thread of its own, and the first that gets one takes along what waits by
 * then, in one question if the stores can answer such. So nothing is ever held back, and questions are large only where all
 * threads are busy.
 */
public final class Recheck {

    /** Learns from what one read of a text found; made before the read begins, and told before anybody else hears of it. */
    public interface Judge {
        void found(boolean found);
    }

    private final class Read implements Runnable {
        private final String text;
        private final CompletableFuture<Boolean> answer = new CompletableFuture<>();
        private final List<Object> askers =
                new ArrayList<>(2); // guarded by lock while it waits; nobody joins it afterwards

        Read(String text) {
            this.text = text;
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
    private final Map<String, Read> waiting = new LinkedHashMap<>(); // by text, the oldest first; guarded by lock
    private final Set<String> running = new HashSet<>(); // guarded by lock
    private volatile boolean closed;

    /**
     * @param judges called with the text before each read of the store; what it returns learns from the result, before anybody else
     *     hears of it
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
    public CompletableFuture<Boolean> read(String text) {
        return read(text, null);
    }

    /**
     * As {@link #read(String)}, for somebody whom the meter is told of.
     *
     * @param asker named with this read, beside the others who join it; null for nobody
     */
    public CompletableFuture<Boolean> read(String text, @Nullable Object asker) {
        Read read;
        boolean joined;
        synchronized (lock) {
            Read same = waiting.get(text);
            joined = same != null || running.contains(text); // it asks for a thread when the running one ends
            read = same != null ? same : new Read(text);
            if (same == null) {
                waiting.put(text, read);
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

    /**
     * Adds this read, and those that go with it, to what has begun; none if it has gone with another, or was given up.
     */
    private void begin(Read own, List<Read> begun) {
        synchronized (lock) {
            if (waiting.get(own.text) != own) {
                return;
            }
            begun.add(own);
            running.add(own.text);
            waiting.remove(own.text);
            Iterator<Read> others = waiting.values().iterator();
            while (begun.size() < mostKeys && others.hasNext()) {
                Read other = others.next();
                if (!running.contains(other.text)) {
                    begun.add(other);
                    running.add(other.text);
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

    /** Those without an answer: all, if one text spoils the question for the rest. */
    private List<Read> askTogether(List<Read> reads) {
        try {
            List<String> texts = reads.stream().map(read -> read.text).toList();
            List<Judge> made = texts.stream().map(judges).toList();
            boolean[] found = metered(reads, () -> stores.existEach(texts, timeout));
            for (int i = 0; i < found.length; i++) {
                made.get(i).found(found[i]);
                reads.get(i).answer.complete(found[i]);
            }
        } catch (RuntimeException | Error e) {
            // Metered if it is the store's; and whose it is will meet it again.
        }
        return reads.stream().filter(read -> !read.answer.isDone()).toList();
    }

    private boolean ask(Read read, long deadline) {
        Judge judge = judges.apply(read.text);
        boolean found = metered(List.of(read), () -> stores.exists(read.text, until(deadline)));
        judge.found(found);
        return found;
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

    /** Reads that wait for a thread, or for the one of the same text that runs. */
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
            running.remove(ended.text);
            next = waiting.get(ended.text);
        }
        if (next != null) {
            submit(next);
        }
    }

    /** Unless it has gone with another. */
    private void giveUp(Read read, Throwable why) {
        synchronized (lock) {
            if (!waiting.remove(read.text, read)) {
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

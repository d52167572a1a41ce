package io.github.untaken.store;

import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import io.github.untaken.store.Errands.Errand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store on the registry's own threads, so that no caller's transaction, snapshot or connection is involved.
 *
 * <p>Equal texts share a read, but a question joins only a read that has not been handed to the driver: a running one
 * may hold a snapshot older than the question. So a text has at most one read running and one waiting.
 *
 * <p>Waiting texts are batched: each read asks for a thread, and the first that gets one takes along whatever waits by
 * then, in one question if the stores support that. So nothing is ever held back, and questions are large only when all
 * threads are busy. A text that no one waits for any more is not asked for. When reads are late, the newest go first;
 * otherwise every thread would read for a check that is about to give up.
 *
 * <p>A read that does not come back within the timeout is disowned, see {@link Errands}.
 */
public final class Recheck {

    /**
     * Learns from what one read of a text found. Made before the read begins; receives the result before anyone else.
     */
    public interface Judge {
        void found(Presence found);
    }

    /** Reported to the meter, unless its deadline has passed. */
    private record Asker(Object who, long deadline) {}

    private final class Read implements Runnable {
        private final String text;
        private final CompletableFuture<Presence> answer = new CompletableFuture<>();
        private final List<Asker> askers =
                new ArrayList<>(2); // guarded by lock while it waits; none joins it afterwards
        private final long first; // the deadline of the asker that has waited longest
        private long deadline; // guarded by lock; the latest deadline

        Read(String text, long deadline) {
            this.text = text;
            this.first = deadline;
            this.deadline = deadline;
        }

        boolean isLeft(long now) {
            return deadline - now <= 0;
        }

        /**
         * Asks for whatever is next, this read or another: there are as many such tasks waiting for a thread as there
         * are waiting reads.
         */
        @Override
        public void run() {
            synchronized (lock) {
                handedOver--; // before anything that may run out of memory
            }
            List<Read> begun = new ArrayList<>();
            Errand errand = null;
            try {
                begin(begun);
                errand = errands.begin(timeout, () -> disown(begun));
                ask(begun, errand);
            } catch (RuntimeException | Error e) {
                giveUp(this, e);
                for (Read read : begun) {
                    read.answer.completeExceptionally(e);
                }
            } finally {
                if (errand == null || errand.back()) {
                    begun.forEach(Recheck.this::end);
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
    private final LongSupplier nanoTime;
    private final Object lock = new Object();
    private final Errands errands;
    private final Map<String, Read> waiting = new HashMap<>(); // by text; guarded by lock
    private final Deque<Read> order = new ArrayDeque<>(); // the same reads, oldest first; guarded by lock
    private final Set<String> running = new HashSet<>(); // guarded by lock
    private int handedOver; // guarded by lock; tasks that wait for a thread, at least as many as reads that can begin
    private volatile boolean closed;

    /**
     * @param judges called with the text before each read of the store; what it returns receives the result before
     *     anyone else
     */
    public Recheck(Stores stores, Duration timeout, Executor threads, Function<String, Judge> judges, ReadMeter meter) {
        this(stores, timeout, threads, judges, meter, System::nanoTime);
    }

    /** @param nanoTime the clock of all deadlines */
    public Recheck(
            Stores stores,
            Duration timeout,
            Executor threads,
            Function<String, Judge> judges,
            ReadMeter meter,
            LongSupplier nanoTime) {
        this.stores = stores;
        this.mostKeys = stores.mostKeys();
        this.timeout = timeout;
        this.threads = threads;
        this.errands = new Errands(threads);
        this.judges = judges;
        this.meter = meter;
        this.nanoTime = nanoTime;
    }

    /** Does not block. Fails with {@link StoreException} if the store does, or if too many reads wait. */
    public CompletableFuture<Presence> read(String text) {
        return read(text, null, nanoTime.getAsLong() + timeout.toNanos());
    }

    /**
     * As {@link #read(String)}, for a caller that gives up at a deadline.
     *
     * @param asker reported to the meter, together with the others who join the read; null for none
     * @param deadline when the caller stops waiting, by {@link System#nanoTime} or its substitute
     */
    public CompletableFuture<Presence> read(String text, @Nullable Object asker, long deadline) {
        Read read;
        boolean joined;
        synchronized (lock) {
            Read same = waiting.get(text);
            joined = same != null || running.contains(text); // submitted when the running read ends
            read = same != null ? same : new Read(text, deadline);
            if (same == null) {
                waiting.put(text, read);
                order.add(read);
            } else if (deadline - same.deadline > 0) {
                same.deadline = deadline;
            }
            if (asker != null) {
                read.askers.add(new Asker(asker, deadline));
            }
        }
        if (!joined) {
            submit(read);
        }
        return read.answer;
    }

    /** Adds the reads to be asked together now; none if all that waited went with others, or were given up. */
    private void begin(List<Read> begun) {
        List<Read> left = new ArrayList<>();
        synchronized (lock) {
            long now = nanoTime.getAsLong();
            Iterator<Read> next = areLate(now) ? order.descendingIterator() : order.iterator();
            while (begun.size() < mostKeys && next.hasNext()) {
                Read read = next.next();
                boolean isLeft = read.isLeft(now);
                if (isLeft || running.add(read.text)) {
                    (isLeft ? left : begun).add(read);
                    waiting.remove(read.text);
                    next.remove();
                }
            }
        }
        left.forEach(read -> read.answer.completeExceptionally(tooLate()));
    }

    /**
     * Whether the oldest read that can begin has used up half of its time. The age of one that cannot says nothing,
     * since others join it.
     */
    private boolean areLate(long now) {
        for (Read read : order) {
            if (!running.contains(read.text)) {
                return read.first - now < timeout.toNanos() / 2;
            }
        }
        return false;
    }

    /** Forgets whatever has passed its deadline, anywhere in the queue: with all threads lost, nothing else would. */
    private void sweep() {
        List<Read> left = new ArrayList<>();
        synchronized (lock) {
            long now = nanoTime.getAsLong();
            order.removeIf(read -> {
                read.askers.removeIf(asker -> asker.deadline - now <= 0);
                return read.isLeft(now) && waiting.remove(read.text, read) && left.add(read);
            });
        }
        left.forEach(read -> read.answer.completeExceptionally(tooLate()));
    }

    private StoreException tooLate() {
        return new StoreException("the store has not answered within " + timeout);
    }

    /**
     * This much time has passed: reads that are overdue are disowned, and reads that no one waits for are not asked.
     */
    public void tick(Duration time) {
        try {
            errands.tick(time);
        } finally {
            sweep();
        }
    }

    /**
     * How many reads have not come back within the timeout, of all kinds that share the threads; each holds a thread
     * and a connection.
     */
    public int lost() {
        return errands.away();
    }

    /** The texts can be asked for again. */
    private void disown(List<Read> reads) {
        StoreException why =
                new StoreException("the store has not answered within " + timeout + ", so its thread was abandoned");
        try {
            reads.forEach(read -> read.answer.completeExceptionally(why));
            reads.forEach(this::end);
        } finally {
            tell(reads, timeout.toNanos(), why);
        }
    }

    private static <T> void complete(CompletableFuture<T> answer, Supplier<T> question) {
        try {
            answer.complete(question.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    /** Reads that have not begun by now never will. */
    public void close() {
        closed = true;
    }

    /** Whether a read failed because too many waited, not because of the store. */
    public static boolean wasRefused(Throwable failure) {
        return failure.getCause() instanceof RejectedExecutionException;
    }

    /** Texts that the joint question leaves unanswered are asked for one by one, within the time of that question. */
    private void ask(List<Read> reads, Errand errand) {
        long deadline = nanoTime.getAsLong() + timeout.toNanos();
        List<Read> alone = reads.size() > 1 ? askTogether(reads, errand) : reads;
        for (Read read : alone) {
            complete(read.answer, () -> ask(read, deadline, errand));
        }
    }

    /** Returns the unanswered reads: all, if one text spoils the question for the rest. */
    private List<Read> askTogether(List<Read> reads, Errand errand) {
        try {
            List<String> texts = reads.stream().map(read -> read.text).toList();
            List<Judge> made = texts.stream().map(judges).toList();
            Presence[] found = metered(reads, errand, () -> stores.existEach(texts, timeout));
            for (int i = 0; i < found.length; i++) {
                made.get(i).found(found[i]);
                reads.get(i).answer.complete(found[i]);
            }
        } catch (RuntimeException | Error e) {
            // A failure of the store was metered; the single question for the text that caused it will fail again.
        }
        return reads.stream().filter(read -> !read.answer.isDone()).toList();
    }

    private Presence ask(Read read, long deadline, Errand errand) {
        Judge judge = judges.apply(read.text);
        Presence found = metered(List.of(read), errand, () -> stores.exists(read.text, until(deadline)));
        judge.found(found);
        return found;
    }

    private Duration until(long deadline) {
        long left = deadline - nanoTime.getAsLong();
        if (left <= 0) {
            throw tooLate();
        }
        return Duration.ofNanos(left);
    }

    private <T> T metered(List<Read> reads, Errand errand, Supplier<T> question) {
        if (closed) {
            throw new StoreException("the checker was closed");
        }
        long begin = nanoTime.getAsLong();
        T answer;
        try {
            answer = question.get();
        } catch (RuntimeException | Error e) {
            if (!errand.isRefused()) { // otherwise it has been reported
                tell(reads, nanoTime.getAsLong() - begin, e);
            }
            throw e;
        }
        if (errand.isRefused()) {
            throw tooLate();
        }
        tell(reads, nanoTime.getAsLong() - begin, null);
        return answer;
    }

    private void tell(List<Read> reads, long nanos, @Nullable Throwable failure) {
        List<Object> askers = new ArrayList<>();
        reads.forEach(read -> read.askers.forEach(asker -> askers.add(asker.who)));
        meter.read(askers, Math.max(1, reads.size()), nanos, failure);
    }

    /** Reads that wait for a thread, or for the running read of the same text. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /**
     * Submits a read, unless enough tasks wait for a thread already: one task takes other reads along, whose own tasks
     * would pile up. If a read does not get its thread, through refusal or error, it ends: no one may wait for a read
     * that is never run.
     */
    private void submit(Read read) {
        synchronized (lock) {
            if (handedOver >= order.size()) {
                return;
            }
            handedOver++;
        }
        try {
            threads.execute(read);
        } catch (RuntimeException | Error e) {
            synchronized (lock) {
                handedOver--;
            }
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

    /** Has no effect if the read has gone with another. */
    private void giveUp(Read read, Throwable why) {
        synchronized (lock) {
            if (!waiting.remove(read.text, read)) {
                return;
            }
            order.removeLastOccurrence(read);
        }
        read.answer.completeExceptionally(why);
    }

    private static StoreException refusal(Throwable cause) {
        return cause instanceof RejectedExecutionException
                ? new StoreException("too many store reads wait already", cause)
                : new StoreException("a store read could not be started", cause);
    }

    /** Told of each question to the store. */
    public interface ReadMeter {
        /**
         * The store has answered or failed.
         *
         * @param askers of all keys of the question
         * @param keys number of keys
         */
        void read(List<Object> askers, int keys, long nanos, @Nullable Throwable failure);
    }
}

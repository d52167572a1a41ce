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
 * <p>Equal texts share a read, but a question joins only a read that has not been handed to the driver: one that runs may
 * hold a snapshot older than the question. So a text has at most one read running and one waiting.
 *
 * <p>Texts that wait go together: each read asks for a thread of its own, and the first that gets one takes along what waits by
 * then, in one question if the stores can answer such. So nothing is ever held back, and questions are large only where all
 * threads are busy. Whom nobody waits for any more is not asked for; and where reads are late the newest go first, or every thread would
 * read for somebody who is about to leave.
 *
 * <p>A read that does not come back within the timeout is disowned, see {@link Errands}.
 */
public final class Recheck {

    /** Learns from what one read of a text found; made before the read begins, and told before anybody else hears of it. */
    public interface Judge {
        void found(Presence found);
    }

    /** Whom the meter is told of, until he leaves. */
    private record Asker(Object who, long deadline) {}

    private final class Read implements Runnable {
        private final String text;
        private final CompletableFuture<Presence> answer = new CompletableFuture<>();
        private final List<Asker> askers =
                new ArrayList<>(2); // guarded by lock while it waits; nobody joins it afterwards
        private final long first; // the deadline of whoever has waited for longest
        private long deadline; // guarded by lock; of whoever leaves last

        Read(String text, long deadline) {
            this.text = text;
            this.first = deadline;
            this.deadline = deadline;
        }

        boolean isLeft(long now) {
            return deadline - now <= 0;
        }

        /** Asks for whatever is next, be it this one or not: as many of these wait for a thread as there are reads that wait. */
        @Override
        public void run() {
            synchronized (lock) {
                handedOver--; // before anything that may find no room
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
    private final Deque<Read> order = new ArrayDeque<>(); // the same, the oldest first; guarded by lock
    private final Set<String> running = new HashSet<>(); // guarded by lock
    private int handedOver; // guarded by lock; tasks that wait for a thread, no fewer than reads that can begin
    private volatile boolean closed;

    /**
     * @param judges called with the text before each read of the store; what it returns learns from the result, before anybody else
     *     hears of it
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
     * As {@link #read(String)}, for somebody who leaves.
     *
     * @param asker whom the meter is told of, beside the others who join the read; null for nobody
     * @param deadline when nobody waits for the answer any more, by {@link System#nanoTime} or what stands in for it
     */
    public CompletableFuture<Presence> read(String text, @Nullable Object asker, long deadline) {
        Read read;
        boolean joined;
        synchronized (lock) {
            Read same = waiting.get(text);
            joined = same != null || running.contains(text); // it asks for a thread when the running one ends
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

    /** Adds what goes together now; nothing if all that waited has gone with others, or was given up. */
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

    /** Whether the oldest that can begin has used up half of its time: others join one that cannot, and its age says nothing. */
    private boolean areLate(long now) {
        for (Read read : order) {
            if (!running.contains(read.text)) {
                return read.first - now < timeout.toNanos() / 2;
            }
        }
        return false;
    }

    /** Whoever has left is forgotten wherever his read stands: with all threads lost, nobody else would come by. */
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

    /** So much time has passed: what has not come back is not waited for any longer, and what nobody waits for is not asked. */
    public void tick(Duration time) {
        try {
            errands.tick(time);
        } finally {
            sweep();
        }
    }

    /** How many reads have not come back within the timeout, of all kinds that share the threads; each has a thread and a connection. */
    public int lost() {
        return errands.away();
    }

    /** The texts can be asked for anew. */
    private void disown(List<Read> reads) {
        StoreException why = new StoreException(
                "the store has not answered within " + timeout + ", and the thread that asked is not waited for");
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

    /** What has not begun by now will not. */
    public void close() {
        closed = true;
    }

    /** Whether a read failed because too many waited, and not in the store. */
    public static boolean wasRefused(Throwable failure) {
        return failure.getCause() instanceof RejectedExecutionException;
    }

    /** Whom one question for all leaves without an answer, each is asked for alone, within the time of that question. */
    private void ask(List<Read> reads, Errand errand) {
        long deadline = nanoTime.getAsLong() + timeout.toNanos();
        List<Read> alone = reads.size() > 1 ? askTogether(reads, errand) : reads;
        for (Read read : alone) {
            complete(read.answer, () -> ask(read, deadline, errand));
        }
    }

    /** Those without an answer: all, if one text spoils the question for the rest. */
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
            // Metered if it is the store's; and whose it is will meet it again.
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
            throw new StoreException("the store took longer than " + timeout);
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
            if (!errand.isRefused()) { // or it has been told
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

    /** Reads that wait for a thread, or for the one of the same text that runs. */
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /**
     * Unless those that wait for a thread are enough for all that wait: one takes others along, whose own would pile up. Whatever keeps a
     * read from its thread, refusal or error, ends it: nobody may wait for a read that nobody runs.
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

    /** Unless it has gone with another. */
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

package io.github.untaken;

import io.github.untaken.store.Recheck;
import io.github.untaken.store.Recheck.Finding;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are said to have become free. Each is read once, on the registry's threads; a read that finds nothing whitelists the
 * key, as any recheck does, so that the next check is answered from memory. The entry stays, and counts as stale.
 *
 * <p>A key of an odd spelling stays taken for the generation's life: then a rebuild is asked for, within {@link
 * RegistrySettings#sweepDelay}.
 *
 * <p>One read at a time, so that the end of a transaction that deleted thousands leaves the other threads to the checks. What
 * finds no room only counts as stale: its first check costs a read then.
 */
final class Releases {
    private static final int ROOM = 10_000;

    private final Recheck recheck;
    private final Generations generations;
    private final Runnable sweeps;
    private final Queue<String> waiting = new ArrayDeque<>(); // guarded by this
    private boolean reading; // guarded by this

    /** @param sweeps asks for a rebuild, not at once */
    Releases(Recheck recheck, Generations generations, Runnable sweeps) {
        this.recheck = recheck;
        this.generations = generations;
        this.sweeps = sweeps;
    }

    /** Returns at once. */
    void add(String key) {
        if (!hasRoomFor(key)) {
            gone(key);
            return;
        }
        readOneAfterTheOther();
    }

    private synchronized boolean hasRoomFor(String key) {
        return waiting.size() < ROOM && waiting.add(key);
    }

    /** A loop for reads that have ended when they return, so that their number does not become the depth of the stack. */
    private void readOneAfterTheOther() {
        String key = next();
        while (key != null) {
            String released = key;
            CompletableFuture<Finding> read = begin(released);
            if (!read.isDone()) {
                CompletableFuture<Finding> unused = read.whenComplete((finding, failure) -> {
                    ended(released, finding);
                    readOneAfterTheOther();
                });
                return;
            }
            ended(released, read.isCompletedExceptionally() ? null : read.join());
            key = next();
        }
    }

    /** An error ends this read, and not all that come after it. */
    private CompletableFuture<Finding> begin(String key) {
        try {
            return recheck.read(key);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The next key to read, or null if there is none or if one is being read. */
    private synchronized @Nullable String next() {
        if (reading) {
            return null;
        }
        String key = waiting.poll();
        reading = key != null;
        return key;
    }

    private void ended(String key, @Nullable Finding finding) {
        synchronized (this) {
            reading = false;
        }
        if (finding != Finding.PRESENT) {
            gone(key);
        }
    }

    private void gone(String key) {
        generations.noteStale(key);
        if (generations.isOdd(key)) {
            sweeps.run();
        }
    }
}

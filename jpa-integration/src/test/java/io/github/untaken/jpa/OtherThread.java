package io.github.untaken.jpa;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Not the common pool that a {@code CompletableFuture} uses: a thread that waits for the task might be given it to run.
 */
final class OtherThread {
    private OtherThread() {}

    static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, started -> {
            Thread thread = new Thread(started, "other");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Returns when it has ended; what it throws is thrown. */
    static void run(Runnable task) {
        try {
            start(task).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}

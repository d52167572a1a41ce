package io.github.untaken.fault;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells what has happened, in order, on a thread of its own: a log or a listener may stand still, and whoever has news may hold a lock,
 * or be the application's own thread. Nobody waits for it. Of too much news the oldest is dropped. Thread-safe.
 */
public final class Teller {
    /** News that waits. */
    static final int MOST_NEWS = 1_000;

    private final ThreadPoolExecutor thread;

    /**
     * Has no thread while there is nothing to tell.
     *
     * @param name of the thread
     */
    public Teller(String name) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_NEWS),
                task -> {
                    Thread made = new Thread(task, name);
                    made.setDaemon(true);
                    return made;
                },
                new ThreadPoolExecutor.DiscardOldestPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Never blocks and never throws; nor does what the news throws go anywhere. It is put into words by the thread that tells it. */
    public void tell(Runnable news) {
        try {
            thread.execute(() -> {
                try {
                    news.run();
                } catch (RuntimeException | Error e) {
                    // There is nobody left to tell.
                }
            });
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }
}

package io.github.untaken.fault;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reports events in order, on a thread of its own: a log or a listener may block, and the reporting thread may hold a
 * lock or belong to the application. No one waits for it. If too many events are waiting, the oldest is dropped.
 * Thread-safe.
 */
public final class Teller {
    /** Most events waiting. */
    static final int MOST_NEWS = 1_000;

    private final ThreadPoolExecutor thread;

    /**
     * Has no thread while there is nothing to report.
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

    /**
     * Never blocks and never throws; exceptions of the event are ignored. It is put into words on the reporting thread.
     */
    public void tell(Runnable news) {
        try {
            thread.execute(() -> {
                try {
                    news.run();
                } catch (RuntimeException | Error e) {
                    // There is no one left to tell.
                }
            });
        } catch (RuntimeException | Error e) {
            // There is no one left to tell.
        }
    }
}

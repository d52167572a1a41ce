package io.github.untaken.feed;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at something again and again, on a thread of its own. */
public final class RepeatedLook implements Runnable {
    private final String name;
    private final Duration between;
    private final Look look;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** What is looked at. */
    @FunctionalInterface
    public interface Look {
        /** May throw anything; the next look comes all the same. */
        void look() throws Exception;
    }

    /** @param name of the thread */
    public RepeatedLook(String name, Duration between, Look look) {
        this.name = name;
        this.between = between;
        this.look = look;
    }

    /** Call once. The first look comes after a pause. */
    public void start() {
        Thread thread = new Thread(this, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** No look begins any more. */
    public void stop() {
        stopped.countDown();
    }

    @Override
    public void run() {
        try {
            while (!stopped.await(between.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    look.look();
                } catch (Throwable e) {
                    // a failed look shows nothing; the next one comes anyway
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.github.untaken.store;

/** A thread that does not keep the process alive. */
public final class DaemonThread extends Thread {
    public DaemonThread(Runnable task, String name) {
        super(task, name);
        setDaemon(true);
    }
}

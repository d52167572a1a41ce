package io.github.untaken;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the library logs while this is open; or a log that fails, as on a full disk or without memory. */
public final class Told extends Handler implements AutoCloseable {
    private final Logger log = Logger.getLogger("io.github.untaken");
    private final Level before = log.getLevel();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final Thread listener;

    /** Hears the calling thread only; the registry of another test may still be ending. */
    public Told() {
        this(Thread.currentThread());
    }

    private Told(Thread listener) {
        this.listener = listener;
        log.setLevel(Level.INFO);
        log.addHandler(this);
    }

    static Told byAnyThread() {
        return new Told(null);
    }

    /** The next lines so many in number are not taken. */
    public void failing(int times) {
        failures.set(times);
    }

    /** How many lines will still fail. */
    public int failuresLeft() {
        return failures.get();
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new InternalError("told to fail");
        }
        if (listener == null || Thread.currentThread() == listener) {
            lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line) + trace(line.getThrown()));
        }
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(text));
        }
        return text.toString();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        log.removeHandler(this);
        log.setLevel(before);
    }
}

package io.github.untaken;

import io.github.untaken.fault.FaultLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the library logs while this is open; or a log that fails, as on a full disk or without memory. */
public final class Told extends Handler implements AutoCloseable {
    /** Begins a line that says only that all before it have been said. */
    private static final String ALL_SAID = "All was said until ";

    private static final AtomicInteger QUESTIONS = new AtomicInteger();

    private final Logger log;
    private final Level before;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();

    /** Hears everything; the registry of another test may still be ending. */
    public Told() {
        this("io.github.untaken");
    }

    /** Hears one logger, with those below it. */
    public Told(String logger) {
        log = Logger.getLogger(logger);
        before = log.getLevel();
        log.setLevel(Level.INFO);
        log.addHandler(this);
    }

    /** The next lines so many in number are not taken. */
    public void failing(int times) {
        failures.set(times);
    }

    /** How many lines will still fail. */
    public int failuresLeft() {
        return failures.get();
    }

    /** All that was given to the log before this call: it is said on a thread of its own. */
    public List<String> lines() {
        String all = ALL_SAID + QUESTIONS.incrementAndGet();
        new FaultLog(log.getName()).say(System.Logger.Level.INFO, all);
        CheckerFixture.eventually(() -> said.contains(all));
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new InternalError("told to fail");
        }
        String text = new SimpleFormatter().formatMessage(line);
        if (text.startsWith(ALL_SAID)) {
            said.add(text);
        } else {
            lines.add(line.getLevel() + " " + text + trace(line.getThrown()));
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

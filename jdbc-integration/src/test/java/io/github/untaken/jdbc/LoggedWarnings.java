package io.github.untaken.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The warnings that Untaken logs while this is open. */
public final class LoggedWarnings extends Handler implements AutoCloseable {
    private static final Logger UNTAKEN = Logger.getLogger("io.github.untaken");

    private static final SimpleFormatter FORMAT = new SimpleFormatter();

    private final List<String> messages = new CopyOnWriteArrayList<>();

    public LoggedWarnings() {
        UNTAKEN.addHandler(this);
    }

    public List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
            messages.add(FORMAT.formatMessage(logged));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        UNTAKEN.removeHandler(this);
    }
}

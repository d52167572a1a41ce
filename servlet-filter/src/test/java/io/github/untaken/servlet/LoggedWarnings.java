package io.github.untaken.servlet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The warnings this module logs, while it is open. */
public final class LoggedWarnings extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.github.untaken.servlet");
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    public LoggedWarnings() {
        logger.addHandler(this);
    }

    /** Those with this text in them. */
    public List<String> about(String text) {
        List<String> about = new ArrayList<>(warnings);
        about.removeIf(warning -> !warning.contains(text));
        return about;
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.add(record.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}

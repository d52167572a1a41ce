package io.github.untaken.spring.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What this module says to the log, until this is closed. */
final class HeardLog extends Handler implements AutoCloseable {
    /** Held, or it may be forgotten together with its handlers. */
    private static final Logger LOG = Logger.getLogger("io.github.untaken.spring.boot");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    HeardLog() {
        LOG.addHandler(this);
    }

    /** How many messages hold these words. */
    long count(String words) {
        return messages.stream().filter(message -> message.contains(words)).count();
    }

    @Override
    public void publish(LogRecord logged) {
        messages.add(logged.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOG.removeHandler(this);
    }
}

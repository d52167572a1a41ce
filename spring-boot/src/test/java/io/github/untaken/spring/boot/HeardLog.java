package io.github.untaken.spring.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a module says to the log, until this is closed. */
final class HeardLog extends Handler implements AutoCloseable {
    /** Held, or it may be forgotten together with its handlers. */
    private final Logger log;

    private final List<LogRecord> messages = new CopyOnWriteArrayList<>();

    HeardLog() {
        this("io.github.untaken.spring.boot");
    }

    HeardLog(String logger) {
        log = Logger.getLogger(logger);
        log.addHandler(this);
    }

    /** How many messages hold these words. */
    long count(String words) {
        return messages.stream()
                .filter(logged -> logged.getMessage().contains(words))
                .count();
    }

    /** How many of those are warnings. */
    long warnings(String words) {
        return messages.stream()
                .filter(logged -> logged.getLevel() == Level.WARNING)
                .filter(logged -> logged.getMessage().contains(words))
                .count();
    }

    @Override
    public void publish(LogRecord logged) {
        messages.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        log.removeHandler(this);
    }
}

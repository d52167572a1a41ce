package io.github.untaken.test.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a logger, and those below it, say while this is open: each message, with what was thrown. Thread-safe. */
public final class LoggedLines extends Handler implements AutoCloseable {
    private record Line(Level level, String text) {}

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    /** Held, or it may be forgotten together with its handlers. */
    private final Logger logger;

    /** What all of Untaken says. */
    public LoggedLines() {
        this("io.github.untaken");
    }

    public LoggedLines(String logger) {
        this.logger = Logger.getLogger(logger);
        this.logger.addHandler(this);
    }

    /** Those of every level that is logged with these words in them. */
    public List<String> about(String words) {
        return texts(line -> line.text.contains(words));
    }

    public List<String> warnings() {
        return warnings("");
    }

    /** Those with these words in them. */
    public List<String> warnings(String words) {
        return texts(line -> line.level.intValue() >= Level.WARNING.intValue() && line.text.contains(words));
    }

    private List<String> texts(Predicate<Line> which) {
        return lines.stream().filter(which).map(Line::text).toList();
    }

    @Override
    public void publish(LogRecord logged) {
        StringBuilder text = new StringBuilder(formatter.formatMessage(logged));
        for (Throwable thrown = logged.getThrown(); thrown != null; thrown = thrown.getCause()) {
            text.append(' ').append(thrown);
        }
        lines.add(new Line(logged.getLevel(), text.toString()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}

package io.github.untaken.cluster.postgresql;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The marks that this process has put into the log and waits for. Thread-safe. */
final class Marks {
    /** The prefix of our messages, and of those of other nodes. */
    static final String PREFIX = "untaken";

    private final String owner;
    private final AtomicLong number = new AtomicLong();
    private final Map<String, Mark> awaited = new ConcurrentHashMap<>();

    /** A mark on its way. Its owner says when it has been put into the log. */
    static final class Mark {
        private final String text;
        private final CountDownLatch told = new CountDownLatch(1);
        private volatile boolean isOut;

        private Mark(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        CountDownLatch told() {
            return told;
        }

        /** It is in the log, on the disk: all that remains is for the server to send it. */
        void isOut() {
            isOut = true;
        }
    }

    /** @param owner differs from that of every other feed, past ones included */
    Marks(String owner) {
        this.owner = owner;
    }

    /** A new mark, awaited from now on. */
    Mark next() {
        Mark mark = new Mark(owner + ':' + number.incrementAndGet());
        awaited.put(mark.text, mark);
        return mark;
    }

    /** Everything before this mark in the log has been told. */
    void reached(byte[] content) {
        Mark mark = awaited.get(new String(content, StandardCharsets.UTF_8));
        if (mark != null) {
            mark.told.countDown();
        }
    }

    /** Whether somebody waits. */
    boolean areAwaited() {
        return !awaited.isEmpty();
    }

    /** Whether one is out and has not come. */
    boolean areDue() {
        return awaited.values().stream().anyMatch(mark -> mark.isOut && mark.told.getCount() > 0);
    }

    void forget(Mark mark) {
        awaited.remove(mark.text);
    }

    /** None of the marks will come: wakes those who wait, who then check whether the log is still followed. */
    void abandon() {
        awaited.values().forEach(mark -> mark.told.countDown());
    }
}

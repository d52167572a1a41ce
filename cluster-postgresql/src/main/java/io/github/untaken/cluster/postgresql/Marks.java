package io.github.untaken.cluster.postgresql;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The marks that this process has put into the log and waits for. Thread-safe. */
final class Marks {
    /** What messages of ours begin with; those of other nodes have it too. */
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

        /** It stands in the log, on the disk: nothing but the server's sending is between it and us. */
        void isOut() {
            isOut = true;
        }
    }

    /** @param owner unlike that of any other feed that ever was */
    Marks(String owner) {
        this.owner = owner;
    }

    /** A new one, which is waited for from now on. */
    Mark next() {
        Mark mark = new Mark(owner + ':' + number.incrementAndGet());
        awaited.put(mark.text, mark);
        return mark;
    }

    /** What stands before it in the log has been told. */
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

    /** None of them will come: wakes those that wait, who then look whether the log is still followed. */
    void abandon() {
        awaited.values().forEach(mark -> mark.told.countDown());
    }
}

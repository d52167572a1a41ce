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

    record Mark(String text, CountDownLatch told) {}

    /** @param owner unlike that of any other feed that ever was */
    Marks(String owner) {
        this.owner = owner;
    }

    /** A new one, which is waited for from now on. */
    Mark next() {
        Mark mark = new Mark(owner + ':' + number.incrementAndGet(), new CountDownLatch(1));
        awaited.put(mark.text(), mark);
        return mark;
    }

    /** What stands before it in the log has been told. */
    void reached(byte[] content) {
        Mark mark = awaited.get(new String(content, StandardCharsets.UTF_8));
        if (mark != null) {
            mark.told().countDown();
        }
    }

    void forget(Mark mark) {
        awaited.remove(mark.text());
    }

    /** None of them will come: wakes those that wait, who then look whether the log is still followed. */
    void abandon() {
        awaited.values().forEach(mark -> mark.told().countDown());
    }
}

package io.github.untaken.sample.figures;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last things that happened to the site, for the dashboard. Never holds an identifier. Thread-safe. */
public final class Events {
    private static final int KEPT = 30;

    private final Clock clock;
    private final Deque<Event> last = new ArrayDeque<>();

    /**
     * One of them.
     *
     * @param atMillis when, in milliseconds since 1970
     * @param what a stable code, translated by the page
     * @param about the kind, or empty
     * @param detail a sentence or figure for people, or empty
     */
    public record Event(long atMillis, String what, String about, String detail) {
        public Map<String, Object> json() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("at", atMillis);
            body.put("what", what);
            body.put("about", about);
            body.put("detail", detail);
            return body;
        }
    }

    public Events(Clock clock) {
        this.clock = clock;
    }

    public synchronized void add(String what, String about, String detail) {
        last.addFirst(new Event(clock.millis(), what, about, detail));
        if (last.size() > KEPT) {
            last.removeLast();
        }
    }

    /** The newest first. */
    public synchronized List<Event> last() {
        return List.copyOf(last);
    }
}

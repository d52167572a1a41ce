package io.github.untaken.kind;

import java.util.ArrayList;
import java.util.List;

/** What happened, as a hash that two equal runs share, and in words where somebody wants to read it. */
final class SimulationTrace {
    private final List<String> lines = new ArrayList<>();
    private final boolean readable;
    private long hash;
    private int depth;

    SimulationTrace(boolean readable) {
        this.readable = readable;
    }

    void note(Enum<?> what, int number) {
        mix(what.ordinal(), number, 0);
        if (readable) {
            line(what + " " + number);
        }
    }

    /** A value is a number of {@link SimulatedNames}, or less than 0 for none. */
    void note(Enum<?> what, int number, int value) {
        mix(what.ordinal(), number, value);
        if (readable) {
            line(what + " " + number + (value < 0 ? "" : " " + SimulatedNames.text(value)));
        }
    }

    void note(Enum<?> what, int number, int value, Enum<?> outcome) {
        mix(what.ordinal(), number, value * 64 + outcome.ordinal());
        if (readable) {
            line(what + " " + number + " " + SimulatedNames.text(value) + ": " + outcome);
        }
    }

    void comment(String text) {
        mix(text.hashCode(), 0, 0);
        if (readable) {
            line(text);
        }
    }

    void enter() {
        depth++;
    }

    void leave() {
        depth--;
    }

    private void mix(int a, int b, int c) {
        hash = (hash ^ (a + 31L * b + 65_537L * c)) * 0x9e37_79b9_7f4a_7c15L;
        hash ^= hash >>> 29;
    }

    private void line(String text) {
        lines.add("  ".repeat(depth) + text);
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        return lines;
    }
}

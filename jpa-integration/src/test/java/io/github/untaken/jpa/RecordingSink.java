package io.github.untaken.jpa;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.WriteSink;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a source tells, one line a call, each write under its number. Thread-safe. */
public final class RecordingSink implements WriteSink {
    private final List<String> lines = new ArrayList<>();
    private int writes;
    private int open;

    @Override
    public synchronized IdentifierWrite begin() {
        String name = "T" + ++writes;
        open++;
        return new IdentifierWrite() {
            private boolean over;

            @Override
            public void adding(IdentifierKind kind, String value) {
                note(name + " adding " + kind + " " + value);
            }

            @Override
            public void unseen(IdentifierKind kind) {
                note(name + " unseen " + kind);
            }

            @Override
            public void over() {
                over = true;
            }

            @Override
            public void ended() {
                noteEnd(name + (over ? " over" : " lingers"));
            }
        };
    }

    private synchronized void noteEnd(String line) {
        open--;
        note(line);
    }

    /** How many writes have not ended. */
    public synchronized int open() {
        return open;
    }

    /** Lets a test write something between the calls, too. */
    public synchronized void note(String line) {
        lines.add(line);
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** Without telling the records apart: what has ended at the same moment stands there once. */
    public synchronized List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (String line : lines) {
            String text = line.replaceFirst("^T\\d+ ", "");
            boolean again = text.equals("over")
                    && !texts.isEmpty()
                    && texts.get(texts.size() - 1).equals("over");
            if (!again) {
                texts.add(text);
            }
        }
        return texts;
    }

    public synchronized List<String> takeTexts() {
        List<String> taken = texts();
        lines.clear();
        return taken;
    }

    public synchronized List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }
}

package io.github.untaken.jdbc;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierTransaction;
import io.github.untaken.spi.TransactionSink;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a source tells, one line a call, each transaction under its number. Thread-safe. */
public final class RecordingSink implements TransactionSink {
    private final List<String> lines = new ArrayList<>();
    private int transactions;

    @Override
    public synchronized IdentifierTransaction begin() {
        String name = "T" + ++transactions;
        return new IdentifierTransaction() {
            @Override
            public void adding(IdentifierKind kind, String value) {
                note(name + " adding " + kind + " " + value);
            }

            @Override
            public void removing(IdentifierKind kind, String value) {
                note(name + " removing " + kind + " " + value);
            }

            @Override
            public void unseen(IdentifierKind kind) {
                note(name + " unseen " + kind);
            }

            @Override
            public void committed() {
                note(name + " committed");
            }

            @Override
            public void rolledBack() {
                note(name + " rolledBack");
            }

            @Override
            public void unknown() {
                note(name + " unknown");
            }
        };
    }

    /** Lets a test write something between the calls, too. */
    public synchronized void note(String line) {
        lines.add(line);
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    public synchronized List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }
}

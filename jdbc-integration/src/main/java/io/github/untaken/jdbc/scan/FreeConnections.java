package io.github.untaken.jdbc.scan;

import io.github.untaken.spi.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;

/** The connections of a snapshot that no part of the scan is using right now. Thread-safe. */
final class FreeConnections {
    private final Deque<ScanConnection> free = new ArrayDeque<>();
    private boolean closed;

    synchronized int size() {
        return free.size();
    }

    /** Blocks until one is free. */
    synchronized ScanConnection take() {
        while (free.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted during a scan", e);
            }
        }
        if (closed) {
            throw new StoreException("the scan has ended");
        }
        return free.remove();
    }

    synchronized void giveBack(ScanConnection connection) {
        if (closed) {
            connection.giveBack();
        } else {
            free.add(connection);
            notifyAll();
        }
    }

    /** Gives back all free ones now, and the others as soon as they are free. */
    synchronized void close() {
        closed = true;
        free.forEach(ScanConnection::giveBack);
        free.clear();
        notifyAll();
    }
}

package io.github.untaken.jdbc;

import io.github.untaken.jdbc.connection.Connections;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A pool that hands its connections out as they were left. */
final class IdleConnections implements Connections, AutoCloseable {
    private final String url;
    private final Setting setting;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final Queue<Connection> all = new ConcurrentLinkedQueue<>();
    private volatile boolean broken;

    /** What each new connection is given once. */
    interface Setting {
        void on(Connection connection) throws SQLException;
    }

    IdleConnections(String url, Setting setting) {
        this.url = url;
        this.setting = setting;
    }

    IdleConnections(String url) {
        this(url, connection -> {});
    }

    @Override
    public Connection open() throws SQLException {
        if (broken) {
            throw new SQLException("no database", "08001");
        }
        Connection known = idle.poll();
        if (known != null && !known.isClosed()) {
            return known;
        }
        Connection opened = DriverManager.getConnection(url);
        all.add(opened);
        setting.on(opened);
        return opened;
    }

    @Override
    public void close(Connection connection) {
        idle.push(connection);
    }

    int made() {
        return all.size();
    }

    /** From now on the database does not answer. */
    void breakDown() {
        broken = true;
        close();
    }

    @Override
    public void close() {
        for (Connection each : all) {
            try {
                each.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

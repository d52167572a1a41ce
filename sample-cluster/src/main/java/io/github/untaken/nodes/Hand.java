package io.github.untaken.nodes;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A way in which somebody writes accounts. What returns has committed; whatever is thrown leaves open whether it has. Used by one
 * thread.
 */
interface Hand extends AutoCloseable {
    void insert(String username) throws IOException, SQLException;

    void delete(String username) throws IOException, SQLException;

    void rename(String username, String newUsername) throws IOException, SQLException;

    @Override
    void close();

    /** Through Hibernate in a node, by HTTP. */
    final class OfNode implements Hand {
        private final NodeLine node;

        OfNode(NodeLine node) {
            this.node = node;
        }

        @Override
        public void insert(String username) throws IOException {
            demandDone(node.client().post("/signup", "username=" + username));
        }

        @Override
        public void delete(String username) throws IOException {
            demandDone(node.client().post("/delete", "username=" + username));
        }

        @Override
        public void rename(String username, String newUsername) throws IOException {
            demandDone(node.client().post("/rename", "username=" + username + "&to=" + newUsername));
        }

        private static void demandDone(NodeClient.Reply reply) throws IOException {
            if (!reply.body().equals("DONE")) {
                throw new IOException("the node says " + reply.status() + ' ' + reply.body());
            }
        }

        @Override
        public void close() {
            node.close();
        }
    }

    /** By SQL over a connection of its own, which is made anew after a failure. */
    abstract class OfConnection implements Hand {
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final IntSupplier port;
        private final String more;
        private @Nullable Connection connection;
        private int connected;

        /**
         * @param port of the server, asked before each statement
         * @param more of the connection's properties
         */
        OfConnection(IntSupplier port, String more) {
            this.port = port;
            this.more = more;
        }

        abstract void run(Connection open, String sql, String... names) throws SQLException;

        @Override
        public void insert(String username) throws SQLException {
            run("insert into account (username) values (?)", username);
        }

        @Override
        public void delete(String username) throws SQLException {
            run("delete from account where username = ?", username);
        }

        @Override
        public void rename(String username, String newUsername) throws SQLException {
            run("update account set username = ? where username = ?", newUsername, username);
        }

        private void run(String sql, String... names) throws SQLException {
            int server = port.getAsInt();
            if (server != connected) {
                close();
            }
            Connection open = connection;
            try {
                if (open == null) {
                    connected = server;
                    open = DriverManager.getConnection(
                            Database.CHOSEN.url(server) + "&connectTimeout=" + Database.CHOSEN.millis(PATIENCE)
                                    + "&socketTimeout=" + Database.CHOSEN.millis(PATIENCE) + more);
                    connection = open;
                }
                run(open, sql, names);
            } catch (SQLException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            Connection open = connection;
            connection = null;
            if (open != null) {
                try {
                    open.close();
                } catch (SQLException e) {
                    // it has gone
                }
            }
        }
    }

    /** As an application with JDBC does: prepared statements, a transaction, a commit. */
    final class Jdbc extends OfConnection {
        Jdbc(IntSupplier port) {
            super(port, "");
        }

        @Override
        void run(Connection open, String sql, String... names) throws SQLException {
            open.setAutoCommit(false);
            try (PreparedStatement statement = open.prepareStatement(sql)) {
                for (int i = 0; i < names.length; i++) {
                    statement.setString(i + 1, names[i]);
                }
                if (statement.executeUpdate() != 1) {
                    throw new SQLException("not one row");
                }
            }
            open.commit();
        }
    }

    /** As somebody at a console does: text, without a transaction. */
    final class Console extends OfConnection {
        private final boolean asynchronous;

        /** @param asynchronous whether its commits are acknowledged before they are on the disk, where one session may say so */
        Console(IntSupplier port, boolean asynchronous) {
            super(port, Database.CHOSEN == Database.POSTGRESQL ? "&preferQueryMode=simple" : "");
            this.asynchronous = asynchronous && Database.CHOSEN == Database.POSTGRESQL;
        }

        @Override
        void run(Connection open, String sql, String... names) throws SQLException {
            String text = asynchronous ? "set synchronous_commit = off; " + sql : sql;
            for (String name : names) {
                text = text.replaceFirst("\\?", "'" + name + "'");
            }
            try (Statement statement = open.createStatement()) {
                statement.execute(text);
            }
        }
    }
}

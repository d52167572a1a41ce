package io.github.untaken.jdbc.paths;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import javax.sql.DataSource;

/** By hand. */
record PlainJdbcWriter(DataSource dataSource, String table) implements Way.Writer {

    @Override
    public void inTransaction(Names.Steps steps) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                steps.on(new OnConnection(connection));
            } catch (RuntimeException e) {
                connection.rollback();
                connection.setAutoCommit(true);
                throw e;
            }
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void insertAlone(String name) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            new OnConnection(connection).insert(name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class OnConnection implements Names {
        private final Connection connection;

        OnConnection(Connection connection) {
            this.connection = connection;
        }

        private void update(String sql, String... values) {
            try (PreparedStatement statement = connection.prepareStatement(sql.replace("TABLE", table))) {
                for (int i = 0; i < values.length; i++) {
                    statement.setString(i + 1, values[i]);
                }
                statement.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void insert(String name) {
            update("insert into TABLE (username) values (?)", name);
        }

        @Override
        public void insertAll(List<String> names) {
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into " + table + " (username) values (?)")) {
                for (String name : names) {
                    statement.setString(1, name);
                    statement.addBatch();
                }
                statement.executeBatch();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void rename(String name, String to) {
            update("update TABLE set username = ? where username = ?", to, name);
        }

        @Override
        public void delete(String name) {
            update("delete from TABLE where username = ?", name);
        }

        @Override
        public void nested(Steps steps) {
            try {
                Savepoint savepoint = connection.setSavepoint();
                try {
                    steps.on(this);
                } catch (RuntimeException e) {
                    connection.rollback(savepoint);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void apart(Steps steps) {
            inTransaction(steps);
        }
    }
}

package io.github.untaken.jdbc.paths;

import io.github.untaken.jdbc.TestTable;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** On H2 or PostgreSQL. */
record EngineTable(Engine engine, TestTable table) implements PathTable {

    static PathTable on(Engine engine) {
        return new EngineTable(engine, TestTable.on(engine, "varchar(40)"));
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public DataSource dataSource() {
        return table.dataSource();
    }

    @Override
    public String query(String sql) {
        return table.query(sql);
    }

    @Override
    public void cutTransactions() {
        String sql = switch (engine) {
            case H2 -> "select abort_session(session_id) from information_schema.sessions where contains_uncommitted";
            case POSTGRESQL ->
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and state = 'idle in transaction'";
        };
        try (Connection connection = table.connection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeQuery().next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean cutAny() {
        if (engine == Engine.POSTGRESQL) {
            table.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                    + " and query like '%" + table.name() + "%' order by random() limit 1");
        }
        return engine == Engine.POSTGRESQL;
    }

    @Override
    public void close() {
        table.close();
    }
}

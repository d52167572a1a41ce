package io.github.untaken.innodb;

import io.github.untaken.jdbc.UrlDataSource;
import io.github.untaken.jdbc.paths.PathTable;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** On the server under test, written and read by the application with one driver. */
record DriverTable(Driver driver, Table table) implements PathTable {
    /** With the collation that the server gives a column. Whoever looks at it uses the quicker driver. */
    static PathTable on(Driver driver) {
        return new DriverTable(driver, new Table(Driver.MARIADB, "varchar(40)"));
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public DataSource dataSource() {
        return new UrlDataSource(driver.url("untaken"));
    }

    @Override
    public String query(String sql) {
        return table.query(sql);
    }

    @Override
    public void cutTransactions() {
        List<String> writing = new ArrayList<>();
        Eventually.holds(
                "they are in InnoDB's list, which is a copy made anew only if nobody has asked for 100 ms", () -> {
                    table.query("select sleep(0.15)");
                    table.query("select trx_mysql_thread_id from information_schema.innodb_trx"
                                    + " where trx_rows_modified > 0 and trx_mysql_thread_id <> 0")
                            .lines()
                            .forEach(writing::add);
                    return !writing.isEmpty();
                });
        cut(writing);
    }

    @Override
    public boolean cutAny() {
        inASession(statement -> {
            List<String> others = Sessions.others(statement);
            if (!others.isEmpty()) {
                Sessions.end(statement, others.get(ThreadLocalRandom.current().nextInt(others.size())));
            }
        });
        return true;
    }

    private static void cut(List<String> ids) {
        inASession(statement -> {
            for (String id : ids) {
                Sessions.end(statement, id);
            }
        });
    }

    private interface Work {
        void with(Statement statement) throws SQLException;
    }

    private static void inASession(Work work) {
        try (Connection connection = Driver.MARIADB.connection();
                Statement statement = connection.createStatement()) {
            work.with(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        table.close();
    }
}

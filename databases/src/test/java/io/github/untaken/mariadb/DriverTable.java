package io.github.untaken.mariadb;

import io.github.untaken.jdbc.UrlDataSource;
import io.github.untaken.jdbc.paths.PathTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** On MariaDB, written and read with one driver. */
record DriverTable(Driver driver, Table table) implements PathTable {
    private static final int GONE_ALREADY = 1094;

    /** With the collation that MariaDB gives a column. */
    static PathTable on(Driver driver) {
        return new DriverTable(driver, new Table(driver, "varchar(40)"));
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
        cut("select trx_mysql_thread_id from information_schema.innodb_trx"
                + " where trx_rows_modified > 0 and trx_mysql_thread_id <> 0");
    }

    @Override
    public boolean cutAny() {
        cut("select id from information_schema.processlist where user = 'untaken' and id <> connection_id()"
                + " order by rand() limit 1");
        return true;
    }

    private void cut(String who) {
        List<String> ids = table.query(who).lines().filter(id -> !id.isEmpty()).toList();
        try (Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            for (String id : ids) {
                try {
                    statement.execute("kill " + id);
                } catch (SQLException e) {
                    if (e.getErrorCode() != GONE_ALREADY) {
                        throw e;
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        table.close();
    }
}

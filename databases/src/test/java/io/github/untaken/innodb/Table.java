package io.github.untaken.innodb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A table of its own with the columns {@code id} and {@code username}. */
final class Table implements AutoCloseable {
    private static final int UNKNOWN_COLLATION = 1273;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Driver driver;
    private final String name = "account" + NUMBER.incrementAndGet();

    /** @param type of the column, with its collation if that is not the server's */
    Table(Driver driver, String type) {
        this(driver, "username " + type, "unique (username)");
    }

    /** @param parts columns and indexes beside the {@code id} */
    Table(Driver driver, String... parts) {
        this.driver = driver;
        sql(
                "drop table if exists TABLE",
                "create table TABLE (id bigint auto_increment primary key, " + String.join(", ", parts) + ")");
    }

    String name() {
        return name;
    }

    Driver driver() {
        return driver;
    }

    RegisteredIdentifierStore store() {
        return store(driver.dataSource());
    }

    RegisteredIdentifierStore store(DataSource dataSource) {
        return store(dataSource, IdentifierTable.of(name, "username"));
    }

    /** @param said what the column is said to be compared as */
    RegisteredIdentifierStore storeComparedAs(String said) {
        return store(driver.dataSource(), IdentifierTable.of(name, "username").comparedAs(said));
    }

    /** @param condition which rows are said to count */
    RegisteredIdentifierStore storeWhere(String condition, DataSource dataSource) {
        return store(dataSource, IdentifierTable.of(name, "username").where(condition));
    }

    private static RegisteredIdentifierStore store(DataSource dataSource, IdentifierTable table) {
        return JdbcIdentifiers.of(dataSource, table)
                .stores()
                .values()
                .iterator()
                .next()
                .get(0);
    }

    /** Statements as MariaDB takes them, that have {@code TABLE} in place of the table's name. */
    void sql(String... statements) {
        try (Connection connection = driver.connection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(Product.UNDER_TEST.text(sql.replace("TABLE", name)));
            }
        } catch (SQLException e) {
            assumeTrue(e.getErrorCode() != UNKNOWN_COLLATION, Product.UNDER_TEST + " has no such collation");
            throw new IllegalStateException(e);
        }
    }

    String query(String sql) {
        try (Connection connection = driver.connection()) {
            return Console.query(connection, sql.replace("TABLE", name));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void insert(Connection connection, String username) throws SQLException {
        Console.update(connection, "insert into " + name + " (username) values (?)", username);
    }

    void delete(Connection connection, String username) throws SQLException {
        Console.update(connection, "delete from " + name + " where username = ?", username);
    }

    /** All of the server's, since it started. */
    long rowsRead() {
        return (long) Double.parseDouble(query("select sum(variable_value) from " + Product.UNDER_TEST.globalStatus()
                + " where variable_name in ('HANDLER_READ_NEXT', 'HANDLER_READ_RND_NEXT')"));
    }

    @Override
    public void close() {
        sql(
                "set lock_wait_timeout = 60",
                "drop table if exists TABLE"); // a test that has failed may have left a transaction open
    }
}

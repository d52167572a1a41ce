package io.github.untaken.innodb;

import io.github.untaken.jdbc.WaitingRename;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a store, with both drivers, on collations that compare differently. */
@ParameterizedClass
@EnumSource
class StoreContractTest extends RegisteredIdentifierStoreContract {

    enum Column {
        DEFAULT(Driver.MARIADB, "username varchar(40)", "unique (username)"),
        EXACT(Driver.MYSQL, "username varchar(40) collate " + Product.UNDER_TEST.exactCollation(), "unique (username)"),
        VIRTUAL(
                Driver.MARIADB,
                "username varchar(40) collate " + Product.UNDER_TEST.exactCollation(),
                "username_key varchar(40) collate " + Product.UNDER_TEST.exactCollation()
                        + " as (lower(username)) virtual unique"),
        STORED(Driver.MYSQL, "username varchar(40)", "username_key varchar(40) as (lower(username)) stored unique"),
        LIVE(
                Driver.MARIADB,
                "username varchar(40)",
                "deleted boolean default false",
                "live tinyint as (if(deleted, null, 1)) virtual",
                "unique (username, live)"),
        SAID(Driver.MYSQL, "username varchar(40)", "deleted boolean default false", "unique (username, id)");

        private final Driver driver;
        private final String[] parts;

        boolean hasUncounted() {
            return this == LIVE || this == SAID;
        }

        Column(Driver driver, String... parts) {
            this.driver = driver;
            this.parts = parts;
        }
    }

    private final Column column;
    private final Table table;
    private final Connection writer;
    private final RegisteredIdentifierStore store;
    private volatile boolean broken;

    StoreContractTest(Column column) throws SQLException {
        this.column = column;
        table = new Table(column.driver, column.parts);
        writer = column.driver.connection();
        DataSource breaking = Driver.dataSource(column.driver.url("untaken"), connection -> {
            if (broken) {
                connection.close();
                throw new SQLException("no connection", "08001");
            }
        });
        store = column.hasUncounted()
                ? table.storeWhere(column == Column.LIVE ? "live is not null" : "not deleted", breaking)
                : table.store(breaking);
    }

    @AfterEach
    void close() throws SQLException {
        writer.close();
        table.close();
    }

    @Override
    protected RegisteredIdentifierStore store() {
        return store;
    }

    @Override
    protected Optional<RegisteredIdentifierStore> storeOfAnotherProcess() {
        return Optional.of(table.store());
    }

    @Override
    protected Optional<Waiter> waiter(String identifier) {
        Driver driver = table.driver();
        try {
            return Optional.of(new WaitingRename(driver.connection(), driver.connection(), table.name(), identifier));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void commit(String identifier) {
        run(() -> table.insert(writer, identifier));
    }

    @Override
    protected void delete(String identifier) {
        run(() -> table.delete(writer, identifier));
    }

    @Override
    protected void rollBack(String identifier) {
        run(() -> {
            writer.setAutoCommit(false);
            table.insert(writer, identifier);
            writer.rollback();
            writer.setAutoCommit(true);
        });
    }

    @Override
    protected boolean commitUncounted(String identifier) {
        if (column.hasUncounted()) {
            commit(identifier);
            table.sql("update TABLE set deleted = true");
        }
        return column.hasUncounted();
    }

    @Override
    protected void breakDatabase() {
        broken = true;
    }

    private interface Write {
        void run() throws SQLException;
    }

    private static void run(Write write) {
        try {
            write.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

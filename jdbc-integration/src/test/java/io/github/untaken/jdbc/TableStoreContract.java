package io.github.untaken.jdbc;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The contract, on columns that compare differently. */
abstract class TableStoreContract extends RegisteredIdentifierStoreContract {

    enum Column {
        H2_VARCHAR(Engine.H2, "username varchar(40) unique"),
        H2_VARCHAR_IGNORECASE(Engine.H2, "username varchar_ignorecase(40) unique"),
        H2_GENERATED(
                Engine.H2,
                "username varchar(40), username_key varchar(40) generated always as (lower(username))",
                "create unique index TABLE_key on TABLE (username_key)"),
        POSTGRESQL_VARCHAR(Engine.POSTGRESQL, "username varchar(40) unique"),
        POSTGRESQL_CITEXT(Engine.POSTGRESQL, "username citext unique"),
        POSTGRESQL_EXPRESSION(
                Engine.POSTGRESQL, "username varchar(40)", "create unique index on TABLE (lower(username))"),
        POSTGRESQL_GENERATED(
                Engine.POSTGRESQL,
                "username varchar(40), username_key text generated always as (lower(username)) stored unique"),
        H2_CONDITION(Engine.H2, "username varchar(40), deleted boolean default false"),
        POSTGRESQL_CONDITION(Engine.POSTGRESQL, "username varchar(40), deleted boolean default false"),
        POSTGRESQL_PARTIAL(
                Engine.POSTGRESQL,
                "username varchar(40), deleted boolean default false",
                "create unique index on TABLE (username) where not deleted");

        private final Engine engine;
        private final String columns;
        private final String[] indexes;

        boolean hasUncounted() {
            return columns.contains("deleted");
        }

        Column(Engine engine, String columns, String... indexes) {
            this.engine = engine;
            this.columns = columns;
            this.indexes = indexes;
        }
    }

    private final Column column;
    private final TestTable table;
    private final Connection writer;
    private final List<IdleConnections> others = new ArrayList<>();

    TableStoreContract(Column column) throws SQLException {
        if (column == Column.POSTGRESQL_CITEXT) {
            Extensions.create("citext");
        }
        this.column = column;
        table = TestTable.of(column.engine, column.columns, column.indexes);
        writer = table.connection();
    }

    @AfterEach
    void close() throws SQLException {
        others.forEach(IdleConnections::close);
        writer.close();
        table.close();
    }

    @Override
    protected RegisteredIdentifierStore store() {
        return table.store(
                new IdentifierColumn(table.name(), "username", null, saysCondition() ? "not deleted" : null));
    }

    private boolean saysCondition() {
        return column == Column.H2_CONDITION || column == Column.POSTGRESQL_CONDITION;
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
    protected Optional<RegisteredIdentifierStore> storeOfAnotherProcess() {
        if (column.engine == Engine.H2) {
            return Optional.empty(); // but over a server: H2StoreTest
        }
        IdleConnections connections = new IdleConnections(table.url());
        others.add(connections);
        return Optional.of(table.store(connections));
    }

    @Override
    protected Optional<Waiter> waiter(String identifier) {
        try {
            return Optional.of(new WaitingRename(table.connection(), table.connection(), table.name(), identifier));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void commit(String identifier) {
        try {
            table.insert(writer, identifier);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void delete(String identifier) {
        try {
            table.delete(writer, identifier);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void rollBack(String identifier) {
        try {
            writer.setAutoCommit(false);
            table.insert(writer, identifier);
            writer.rollback();
            writer.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void breakDatabase() {
        table.connections().breakDown();
    }
}

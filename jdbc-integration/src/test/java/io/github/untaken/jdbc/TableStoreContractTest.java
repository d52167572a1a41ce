package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract, on columns that compare differently. */
@ParameterizedClass
@EnumSource
class TableStoreContractTest extends RegisteredIdentifierStoreContract {

    enum Column {
        H2_VARCHAR(Engine.H2, "varchar(40)"),
        H2_VARCHAR_IGNORECASE(Engine.H2, "varchar_ignorecase(40)"),
        POSTGRESQL_VARCHAR(Engine.POSTGRESQL, "varchar(40)"),
        POSTGRESQL_CITEXT(Engine.POSTGRESQL, "citext");

        private final Engine engine;
        private final String type;

        Column(Engine engine, String type) {
            this.engine = engine;
            this.type = type;
        }
    }

    private final TestTable table;
    private final Connection writer;
    private final List<IdleConnections> others = new ArrayList<>();

    TableStoreContractTest(Column column) throws SQLException {
        if (column == Column.POSTGRESQL_CITEXT) {
            Extensions.create("citext");
        }
        table = TestTable.on(column.engine, column.type);
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
        return table.store();
    }

    @Override
    protected Optional<RegisteredIdentifierStore> storeOfAnotherProcess() {
        IdleConnections connections = new IdleConnections(table.url());
        others.add(connections);
        return Optional.of(table.store(connections));
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

package io.github.untaken.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns of each engine that most applications have. */
@ParameterizedClass
@EnumSource(names = {"H2_VARCHAR", "H2_GENERATED", "POSTGRESQL_VARCHAR", "POSTGRESQL_EXPRESSION"})
class TableStoreContractTest extends TableStoreContract {
    TableStoreContractTest(Column column) throws SQLException {
        super(column);
    }
}

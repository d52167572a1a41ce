package io.github.untaken.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("ci")
@ParameterizedClass
@EnumSource(
        names = {"H2_VARCHAR", "H2_GENERATED", "POSTGRESQL_VARCHAR", "POSTGRESQL_EXPRESSION"},
        mode = EnumSource.Mode.EXCLUDE)
class OtherColumnsContractTest extends TableStoreContract {
    OtherColumnsContractTest(Column column) throws SQLException {
        super(column);
    }
}

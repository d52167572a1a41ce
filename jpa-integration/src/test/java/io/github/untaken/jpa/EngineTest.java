package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The servers the other tests rely on are what they claim to be. */
class EngineTest {

    @Test
    void postgresAcknowledgesNoCommitThatACrashWouldLose() throws SQLException {
        try (TestDatabase database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), Account.class);
                Connection connection = database.connection();
                ResultSet row = connection.createStatement().executeQuery("show synchronous_commit")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("on");
        }
    }
}

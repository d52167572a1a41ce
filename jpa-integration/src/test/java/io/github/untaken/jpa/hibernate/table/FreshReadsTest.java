package io.github.untaken.jpa.hibernate.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.StoreException;
import java.sql.SQLException;
import java.util.UUID;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreshReadsTest {
    private final TestDatabase database = TestDatabase.of(Account.class);
    private final FreshReads reads = new FreshReads(database.factory().unwrap(SessionFactoryImplementor.class));

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aFailureKeepsItsCauseAndState() {
        assertThatThrownBy(() -> reads.run("Account.username", "alice", (connection, session) -> {
                    throw new SQLException("connection lost", "08006");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Account.username")
                .hasMessageContaining("08006")
                .hasRootCauseMessage("connection lost");
    }

    @Test
    void aCauseThatQuotesTheIdentifierIsLeftOut() {
        assertThatThrownBy(() -> reads.run("Account.username", "alice", (connection, session) -> {
                    throw new SQLException("cannot convert 'alice'", "22018");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("22018")
                .hasMessageNotContaining("alice")
                .hasNoCause();
    }

    @Test
    void aTenantStandsInForNoneWhateverItsType() {
        for (Class<?> type : new Class<?>[] {String.class, UUID.class, Long.class, Integer.class}) {
            assertThat(FreshReads.tenantOf(type)).isInstanceOf(type);
        }
        assertThat(FreshReads.tenantOf(Thread.class)).isNull();
    }
}

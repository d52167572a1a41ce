package io.github.untaken.jpa.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.transaction.OpenTransactions;
import io.github.untaken.jpa.RecordingSink;
import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.testkit.Eventually;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.junit.jupiter.api.Test;

/** Sessions neither leak nor end in silence. */
class SessionsTest {

    @Test
    void aClosedSessionIsForgotten() {
        try (TestDatabase database = TestDatabase.of(IdentityAccount.class)) {
            Sessions sessions = new Sessions(new OpenTransactions());
            for (int i = 0; i < 10; i++) {
                database.stateless(session -> sessions.of((SharedSessionContractImplementor) session));
            }
            assertThat(sessions.size()).isZero();
        }
    }

    @Test
    void anAbandonedSessionIsCollectedAndWhatItWroteLingers() {
        try (TestDatabase database = TestDatabase.of(IdentityAccount.class)) {
            RecordingSink sink = new RecordingSink();
            HeardFactory factory = HeardFactory.of(database.sessions().unwrap(SessionFactoryImplementor.class))
                    .orElseThrow();
            factory.connect(sink);
            abandonSession(database);
            Eventually.holds("the session is collected", () -> {
                System.gc();
                factory.expunge();
                return sink.lines().size() > 1;
            });
            assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 lingers");
        }
    }

    private static void abandonSession(TestDatabase database) {
        StatelessSession session = database.sessions().openStatelessSession();
        session.beginTransaction();
        session.insert(new IdentityAccount("alice"));
    }
}

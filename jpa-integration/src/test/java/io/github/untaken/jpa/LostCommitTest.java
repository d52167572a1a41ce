package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.CommitCuttingProxy.Fate;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The connection breaks at the COMMIT: Hibernate tells of a rollback, and what is true is anybody's guess. A real
 * PostgreSQL behind a proxy that cuts the client off.
 */
class LostCommitTest {
    private CommitCuttingProxy proxy;
    private CheckedDatabase checked;

    @BeforeEach
    void start() {
        checked = new CheckedDatabase(TestDatabase.on(
                Engine.POSTGRESQL,
                url -> Map.of("jakarta.persistence.jdbc.url", throughProxy(url)),
                Account.class,
                IdentityAccount.class));
    }

    private String throughProxy(String url) {
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        proxy = new CommitCuttingProxy(port);
        return url.replace("localhost:" + port, "127.0.0.1:" + proxy.port());
    }

    @AfterEach
    void close() {
        checked.close();
        proxy.close();
    }

    private void failAtCommit(Fate fate, String name) {
        proxy.next(fate);
        assertThatThrownBy(() -> checked.signUp(name)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void aNameWhoseCommitWasCarriedOutUnheardStaysTaken() {
        String name = checked.freshName();
        failAtCommit(Fate.REPLY_LOST, name);
        assertThat(checked.isCommitted(name)).isTrue();
        for (int i = 0; i < 3; i++) {
            Verdict verdict = checked.check(name);
            assertThat(verdict.status()).isEqualTo(Status.TAKEN);
            assertThat(verdict.decidedBy()).isEqualTo(DecidedBy.STORE);
        }
    }

    @Test
    void aNameWhoseCommitNeverArrivedIsAvailableAgain() {
        String name = checked.freshName();
        failAtCommit(Fate.COMMIT_LOST, name);
        Eventually.holds("the server has noticed that its client is gone", () -> !checked.isCommitted(name));
        assertThat(checked.status(name)).isEqualTo(Status.AVAILABLE);
        assertThat(checked.stats().memory().whitelisted()).isZero();
        checked.signUp(name);
        checked.assertTaken(name);
    }

    @Test
    void aCommitThatArrivesLateIsNeverHiddenByWhatWasReadBefore() throws InterruptedException {
        String name = checked.freshName();
        failAtCommit(Fate.DELAYED, name);
        for (int i = 0; i < 3; i++) {
            assertThat(checked.status(name)).as("not committed yet").isEqualTo(Status.AVAILABLE);
        }
        assertThat(checked.stats().memory().whitelisted()).isZero();
        proxy.deliver();
        checked.assertTaken(name);
    }

    @Test
    void aDeleteWhoseCommitWasCarriedOutUnheardFreesTheName() {
        String name = checked.member();
        proxy.next(Fate.REPLY_LOST);
        assertThatThrownBy(() -> checked.database()
                        .inTransaction(entities -> entities.remove(CheckedDatabase.find(entities, name))))
                .isInstanceOf(RuntimeException.class);
        checked.assertAvailable(name);
    }

    @Test
    void aRenameWhoseCommitNeverArrivedKeepsTheOldName() {
        String name = checked.member();
        String wanted = checked.freshName();
        proxy.next(Fate.COMMIT_LOST);
        assertThatThrownBy(() -> checked.database()
                        .inTransaction(entities -> CheckedDatabase.find(entities, name).username = wanted))
                .isInstanceOf(RuntimeException.class);
        checked.assertTaken(name);
        Eventually.holds("the lock of the lost transaction is gone", () -> !checked.isCommitted(wanted));
        checked.assertAvailable(wanted);
    }
}

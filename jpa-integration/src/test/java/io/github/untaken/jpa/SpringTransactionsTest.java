package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.KindStats;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that Spring's JpaTransactionManager begins and ends: a name is taken exactly if it was committed. */
@ParameterizedClass
@EnumSource(Engine.class)
class SpringTransactionsTest {
    private static CheckedDatabase checked;
    private static JpaTransactionManager manager;
    private static JdbcTemplate jdbc;
    private static EntityManager entities;

    @Parameter
    private Engine engine;

    private KindStats before;

    @BeforeParameterizedClassInvocation
    static void start(Engine engine) {
        checked = new CheckedDatabase(
                TestDatabase.on(engine, SpringTransactionsTest::pooled, Account.class, IdentityAccount.class));
        EntityManagerFactory factory = checked.database().factory();
        manager = new JpaTransactionManager(factory);
        manager.setJpaDialect(new HibernateJpaDialect());
        manager.setDataSource(jdbc.getDataSource());
        manager.afterPropertiesSet();
        entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    }

    private static Map<String, ?> pooled(String url) {
        DataSource dataSource = new DriverManagerDataSource(url);
        jdbc = new JdbcTemplate(dataSource);
        return Map.of("jakarta.persistence.nonJtaDataSource", dataSource);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        checked.close();
    }

    @BeforeEach
    void remember() {
        before = checked.stats();
    }

    private void assertNothingIsOpen() {
        assertThat(checked.stats().underWay().lingering())
                .isEqualTo(before.underWay().lingering());
        assertThat(checked.stats().underWay().open()).isZero();
    }

    private static TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static void inTransaction(Runnable work) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> work.run());
    }

    private static void inNewTransaction(Consumer<org.springframework.transaction.TransactionStatus> work) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(work);
    }

    private static void persist(String name) {
        entities.persist(Account.named(name));
        entities.flush();
    }

    @Test
    void aNameIsTakenFromItsCommitOn() {
        String name = checked.freshName();
        inTransaction(() -> {
            persist(name);
            assertThat(checked.status(name)).isEqualTo(Status.AVAILABLE);
        });
        checked.assertTaken(name);
        assertNothingIsOpen();
    }

    @Test
    void aNameFlushedByTheCommitIsTaken() {
        String name = checked.freshName();
        inTransaction(() -> entities.persist(Account.named(name)));
        checked.assertTaken(name);
        assertNothingIsOpen();
    }

    @Test
    void aTransactionMarkedForRollbackInsideAnotherTakesBoth() {
        String outer = checked.freshName();
        String inner = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(outer);
                    transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                        persist(inner);
                        status.setRollbackOnly();
                    });
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        checked.assertAvailable(outer, inner);
        assertNothingIsOpen();
    }

    @Test
    void anInnerTransactionCommitsThoughTheOuterRollsBack() {
        String outer = checked.freshName();
        String inner = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(outer);
                    inNewTransaction(status -> persist(inner));
                    checked.assertTaken(inner);
                    assertThat(checked.status(outer)).isEqualTo(Status.AVAILABLE);
                    throw new IllegalStateException("the application changes its mind");
                }))
                .hasMessageContaining("changes its mind");
        checked.assertTaken(inner);
        checked.assertAvailable(outer);
        assertNothingIsOpen();
    }

    @Test
    void anInnerTransactionRollsBackThoughTheOuterCommits() {
        String outer = checked.freshName();
        String inner = checked.freshName();
        inTransaction(() -> {
            persist(outer);
            inNewTransaction(status -> {
                persist(inner);
                status.setRollbackOnly();
            });
            checked.assertAvailable(inner);
            assertThat(checked.status(outer)).isEqualTo(Status.AVAILABLE);
        });
        checked.assertTaken(outer);
        checked.assertAvailable(inner);
        assertNothingIsOpen();
    }

    @Test
    void anInnerTransactionThatLosesTheNameToTheOuterLeavesItThere() {
        String name = checked.freshName();
        String other = checked.member();
        inTransaction(() -> {
            persist(name);
            assertThatThrownBy(() -> inNewTransaction(status -> persist(other))).isInstanceOf(RuntimeException.class);
        });
        checked.assertTaken(name, other);
        assertNothingIsOpen();
    }

    @Test
    void aNestedTransactionIsRefusedAndLeavesNothing() {
        String outer = checked.freshName();
        String inner = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(outer);
                    transaction(TransactionDefinition.PROPAGATION_NESTED)
                            .executeWithoutResult(status -> persist(inner));
                }))
                .isInstanceOf(NestedTransactionNotSupportedException.class);
        checked.assertAvailable(outer, inner);
        assertNothingIsOpen();
    }

    @Test
    void aSavepointOfPlainJdbcThatIsRolledBackLeavesItsNameAvailable() {
        String outer = checked.freshName();
        String inner = checked.freshName();
        String renamed = checked.member();
        inTransaction(() -> {
            persist(outer);
            jdbc.execute((ConnectionCallback<Void>) connection -> {
                Savepoint savepoint = connection.setSavepoint();
                persist(inner);
                CheckedDatabase.find(entities, renamed).username = checked.freshName();
                entities.flush();
                connection.rollback(savepoint);
                entities.clear();
                return null;
            });
        });
        checked.assertTaken(outer, renamed);
        checked.assertAvailable(inner);
    }

    @Test
    void anExceptionBeforeTheCommitLeavesTheNameAvailable() {
        String name = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(name);
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void beforeCommit(boolean readOnly) {
                            throw new IllegalStateException("broken before the commit");
                        }
                    });
                }))
                .hasMessageContaining("broken before the commit");
        checked.assertAvailable(name);
        assertNothingIsOpen();
    }

    @Test
    void anExceptionAfterTheCommitHidesNoName() {
        String name = checked.freshName();
        String other = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(name);
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            checked.assertTaken(name);
                            throw new IllegalStateException("broken after the commit");
                        }
                    });
                }))
                .hasMessageContaining("broken after the commit");
        inTransaction(() -> {
            persist(other);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    throw new IllegalStateException("broken after the completion");
                }
            });
        });
        checked.assertTaken(name, other);
        assertNothingIsOpen();
    }

    @Test
    void aConnectionThatIsClosedByTheApplicationLeavesTheNamesAsTheDatabaseHasThem() {
        String name = checked.freshName();
        assertThatThrownBy(() -> inTransaction(() -> {
                    persist(name);
                    entities.unwrap(Session.class).doWork(Connection::close);
                }))
                .isInstanceOf(RuntimeException.class);
        checked.assertAnswersAsTheDatabase(name);
    }
}

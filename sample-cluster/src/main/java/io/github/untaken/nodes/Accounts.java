package io.github.untaken.nodes;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PersistenceUnitTransactionType;
import jakarta.persistence.ValidationMode;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceProvider;
import org.jspecify.annotations.Nullable;

/** The accounts, through JPA. The unique constraint decides; nothing is asked before. Thread-safe. */
final class Accounts implements AutoCloseable {
    private static final Set<String> UNIQUE_VIOLATIONS = Set.of("23505", "23000");

    private final EntityManagerFactory factory;

    Accounts(DataSource database) {
        this.factory = new PersistenceConfiguration("accounts")
                .provider(HibernatePersistenceProvider.class.getName())
                .transactionType(PersistenceUnitTransactionType.RESOURCE_LOCAL)
                .validationMode(ValidationMode.NONE)
                .managedClass(Account.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, database)
                // The driver's messages hold the values of violated constraints, and identifiers stay out of logs.
                .property(AvailableSettings.LOG_JDBC_ERRORS, false)
                .createEntityManagerFactory();
    }

    EntityManagerFactory factory() {
        return factory;
    }

    /** How a change ended. When this is returned, it is known; whatever is thrown leaves it open. */
    enum Outcome {
        DONE,
        NOT_FOUND,
        TAKEN
    }

    Outcome register(String username) {
        return inTransaction(entityManager -> {
            entityManager.persist(new Account(username));
            return true;
        });
    }

    Outcome rename(String username, String newUsername) {
        return inTransaction(entityManager -> {
            List<Account> found = find(entityManager, username);
            found.forEach(account -> account.rename(newUsername));
            return !found.isEmpty();
        });
    }

    Outcome delete(String username) {
        return inTransaction(entityManager -> {
            List<Account> found = find(entityManager, username);
            found.forEach(entityManager::remove);
            return !found.isEmpty();
        });
    }

    private static List<Account> find(EntityManager entityManager, String username) {
        return entityManager
                .createQuery("select a from Account a where a.username = :username", Account.class)
                .setParameter("username", username)
                .getResultList();
    }

    private Outcome inTransaction(Predicate<EntityManager> change) {
        try {
            return factory.callInTransaction(change::test) ? Outcome.DONE : Outcome.NOT_FOUND;
        } catch (RuntimeException e) {
            if (isTaken(e)) {
                return Outcome.TAKEN;
            }
            throw e;
        }
    }

    private static boolean isTaken(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && UNIQUE_VIOLATIONS.contains(String.valueOf(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        factory.close();
    }
}

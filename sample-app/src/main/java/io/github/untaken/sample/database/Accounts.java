package io.github.untaken.sample.database;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PersistenceUnitTransactionType;
import jakarta.persistence.ValidationMode;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.hibernate.StaleStateException;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.jpa.HibernatePersistenceProvider;
import org.jspecify.annotations.Nullable;

/**
 * The accounts, through JPA only. Whether a name is taken is decided by the unique constraints alone; nothing is asked
 * before. A method that returns normally has committed, and H2 is set so that a commit is on the device. Thread-safe.
 */
public final class Accounts implements AutoCloseable {

    /** Longest user name or display name, in UTF-16 code units. */
    public static final int LONGEST_NAME = Account.LONGEST_NAME;

    private final EntityManagerFactory factory;
    private final Clock clock;

    public Accounts(DataSource database, Clock clock) {
        this.factory = new PersistenceConfiguration("accounts")
                .provider(HibernatePersistenceProvider.class.getName())
                .transactionType(PersistenceUnitTransactionType.RESOURCE_LOCAL)
                .validationMode(ValidationMode.NONE)
                .managedClass(Account.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, database)
                // The driver's messages hold the values of violated constraints, and identifiers stay out of logs.
                .property(AvailableSettings.LOG_JDBC_ERRORS, false)
                .createEntityManagerFactory();
        this.clock = clock;
    }

    public EntityManagerFactory factory() {
        return factory;
    }

    /** Registers an account; returns the field that somebody else holds, or empty if it is registered. */
    public Optional<UniqueField> register(String username, String displayName, @Nullable String phone) {
        return unlessTaken(entityManager -> {
                    entityManager.persist(new Account(username, displayName, phone, clock.instant()));
                    return true;
                })
                .taken();
    }

    /**
     * How a change ended.
     *
     * @param found whether there was such an account
     * @param taken the field that somebody else holds; then nothing changed
     */
    public record Change(boolean found, Optional<UniqueField> taken) {}

    public Change rename(String username, String newUsername, String newDisplayName) {
        return unlessTaken(entityManager -> {
            Optional<Account> account = find(entityManager, username);
            account.ifPresent(found -> found.rename(newUsername, newDisplayName));
            return account.isPresent();
        });
    }

    /** Deletes an account; false if there is none. */
    public boolean delete(String username) {
        return unlessTaken(entityManager -> {
                    Optional<Account> account = find(entityManager, username);
                    account.ifPresent(entityManager::remove);
                    return account.isPresent();
                })
                .found();
    }

    private static Optional<Account> find(EntityManager entityManager, String username) {
        List<Account> found = entityManager
                .createQuery("select a from Account a where a.username = :username", Account.class)
                .setParameter("username", username)
                .getResultList();
        return found.stream().findFirst();
    }

    private Change unlessTaken(Predicate<EntityManager> change) {
        try {
            return new Change(factory.callInTransaction(change::test), Optional.empty());
        } catch (RuntimeException e) {
            if (isStale(e)) {
                return new Change(false, Optional.empty()); // somebody deleted or renamed it since it was read
            }
            Optional<UniqueField> field = UniqueField.violatedIn(e);
            if (field.isEmpty()) {
                throw e;
            }
            return new Change(true, field);
        }
    }

    private static boolean isStale(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OptimisticLockException || cause instanceof StaleStateException) {
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

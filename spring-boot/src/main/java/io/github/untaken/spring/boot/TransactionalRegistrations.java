package io.github.untaken.spring.boot;

import io.github.untaken.Announcement;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the checker of registrations that no entity event tells of, such as those of MyBatis or {@code JdbcClient}, within Spring's
 * transactions. Not needed for marked entities. Thread-safe; never blocks.
 */
public final class TransactionalRegistrations {
    private final Registrations registrations;

    TransactionalRegistrations(AvailabilityChecker checker) {
        this.registrations = checker.registrations();
    }

    /**
     * Announces an identifier now; the announcement ends with the transaction, however that ends. Call it before the SQL, with the text
     * as it will be stored.
     *
     * @throws IllegalStateException if no transaction is under way on this thread
     * @throws IllegalArgumentException if there is no such kind
     */
    public void announceInTransaction(IdentifierKind kind, String text) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "No transaction of Spring is under way on this thread: put @Transactional on"
                            + " the method, or use AvailabilityChecker.registrations()");
        }
        Announcement announcement = registrations.announce(kind, text);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                announcement.close();
            }
        });
    }
}

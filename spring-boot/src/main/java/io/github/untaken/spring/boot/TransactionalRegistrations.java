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
     * Makes an identifier visible as taken, now; the transaction's outcome settles it. To be called before its SQL, with the text as
     * it will be stored.
     *
     * @throws IllegalStateException if no transaction is under way on this thread
     * @throws IllegalArgumentException if there is no such kind
     */
    public void announceInTransaction(IdentifierKind kind, String text) {
        requireTransaction();
        TransactionSynchronizationManager.registerSynchronization(new Settling(registrations.announce(kind, text)));
    }

    /**
     * Tells of an identifier that this transaction deletes or renames, after it has committed.
     *
     * @throws IllegalStateException if no transaction is under way on this thread
     */
    public void releaseInTransaction(IdentifierKind kind, String text) {
        requireTransaction();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                if (status != STATUS_ROLLED_BACK) {
                    registrations.released(
                            kind, text); // a read looks whether it is free, so a false alarm does no harm
                }
            }
        });
    }

    private static void requireTransaction() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "No transaction of Spring is under way on this thread: put @Transactional on"
                            + " the method, or use AvailabilityChecker.registrations()");
        }
    }

    /** A rollback is believed only if no commit was begun: one that failed may have reached the database. */
    private static final class Settling implements TransactionSynchronization {
        private final Announcement announcement;
        private boolean commitBegun;

        Settling(Announcement announcement) {
            this.announcement = announcement;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            commitBegun = true;
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED) {
                announcement.committed();
            } else if (status == STATUS_ROLLED_BACK && !commitBegun) {
                announcement.rolledBack();
            } else {
                announcement.close();
            }
        }
    }
}

package io.github.untaken.jpa.hibernate.table;

import io.github.untaken.spi.StoreException;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Runs one read in a session and a transaction of its own, which has read nothing before and so sees whatever is committed
 * when its first statement starts.
 *
 * <p>The connection is not marked read-only: drivers and pools send read-only connections to replicas, and a replica may
 * not know yet what was just committed.
 */
final class FreshReads {

    /** A read; what it throws is wrapped, except what is no failure of the database. */
    interface Read<T extends @Nullable Object> {
        T from(Connection connection, SharedSessionContractImplementor session) throws SQLException;
    }

    private static final Map<Class<?>, Object> ANY_TENANT =
            Map.of(String.class, "", UUID.class, new UUID(0, 0), Long.class, 0L, Integer.class, 0);

    private final SessionFactoryImplementor factory;

    FreshReads(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    SessionFactoryImplementor factory() {
        return factory;
    }

    /**
     * @param what what is read, for the message
     * @param secret a value that no message may contain; an exception that quotes it is reported without its text
     * @throws StoreException if the database, the pool or Hibernate failed
     */
    <T extends @Nullable Object> T run(String what, @Nullable String secret, Read<T> read) {
        if (factory.isClosed()) {
            throw new StoreException(what + " could not be read: the EntityManagerFactory is closed");
        }
        try (StatelessSession session = open()) {
            Transaction transaction = session.beginTransaction();
            try {
                T result = session.doReturningWork(
                        connection -> read.from(connection, (SharedSessionContractImplementor) session));
                transaction.commit();
                return result;
            } finally {
                if (transaction.isActive()) {
                    transaction.rollback();
                }
            }
        } catch (PersistenceException e) {
            throw failure(what, secret, e);
        }
    }

    /**
     * Plain SQL reads the rows of all tenants alike, but a session of a factory with tenants wants to be told one, and the
     * registry's threads serve no request that would have one.
     */
    StatelessSession open() {
        CurrentTenantIdentifierResolver<Object> resolver = factory.getCurrentTenantIdentifierResolver();
        Object none = resolver != null && resolver.resolveCurrentTenantIdentifier() == null
                ? tenantOf(factory.getTenantIdentifierJavaType().getJavaTypeClass())
                : null;
        return none == null
                ? factory.openStatelessSession()
                : factory.withStatelessOptions().tenantIdentifier(none).openStatelessSession();
    }

    /** Any value of the type, or null where none comes to mind and the resolver has to give one. */
    static @Nullable Object tenantOf(Class<?> type) {
        return ANY_TENANT.get(type);
    }

    private static StoreException failure(String what, @Nullable String secret, Throwable e) {
        StringBuilder message = new StringBuilder(what).append(" could not be read");
        boolean quotes = false;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                message.append(" (SQLSTATE ").append(sql.getSQLState()).append(')');
                quotes |= quotes(sql, secret);
                break;
            }
            quotes |= quotes(cause, secret);
        }
        return quotes
                ? new StoreException(message + "; the cause quotes a value and is left out")
                : new StoreException(message.toString(), e);
    }

    private static boolean quotes(Throwable e, @Nullable String secret) {
        return secret != null && e.getMessage() != null && e.getMessage().contains(secret);
    }
}

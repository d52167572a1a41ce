package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.TransactionWrites;
import io.github.untaken.jdbc.transaction.TransactionWrites.Outcome;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * Hears from a JTA transaction manager itself how a transaction ends. Hibernate's callback will not do. It never comes
 * if the session was closed before; and if a rollback happens on another thread (a timeout), it comes late and on the
 * session's thread, although what that thread wrote in between was written under autocommit. The manager's call comes
 * on the thread on which it happens.
 *
 * <p>A {@code jakarta.transaction.Synchronization} made by reflection, since the module of that interface requires
 * modules that nothing here needs.
 */
final class ManagerOutcome implements InvocationHandler {
    private static final int STATUS_COMMITTED = 3;
    private static final int STATUS_ROLLED_BACK = 4;

    private final TransactionCoordinator coordinator;
    private final TransactionWrites writes;

    private ManagerOutcome(TransactionCoordinator coordinator, TransactionWrites writes) {
        this.coordinator = coordinator;
        this.writes = writes;
    }

    /** False if there is no manager, or it takes no more listeners, as in a transaction that is marked for rollback. */
    static boolean listen(SharedSessionContractImplementor session, TransactionWrites writes) {
        if (!isJta(session)) {
            return false;
        }
        try {
            JtaPlatform platform = platform(session);
            ClassLoader loader = JtaPlatform.class.getClassLoader();
            Class<?> type = Class.forName("jakarta.transaction.Synchronization", true, loader);
            Object synchronization = Proxy.newProxyInstance(
                    loader, new Class<?>[] {type}, new ManagerOutcome(session.getTransactionCoordinator(), writes));
            JtaPlatform.class.getMethod("registerSynchronization", type).invoke(platform, synchronization);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    /** The manager's transaction on this thread; null if it does not tell. */
    static @Nullable Object current(SharedSessionContractImplementor session) {
        try {
            Object manager =
                    JtaPlatform.class.getMethod("retrieveTransactionManager").invoke(platform(session));
            Class<?> type =
                    Class.forName("jakarta.transaction.TransactionManager", true, JtaPlatform.class.getClassLoader());
            return manager == null ? null : type.getMethod("getTransaction").invoke(manager);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static JtaPlatform platform(SharedSessionContractImplementor session) {
        return session.getFactory().getServiceRegistry().requireService(JtaPlatform.class);
    }

    static boolean isJta(SharedSessionContractImplementor session) {
        return session.getTransactionCoordinator()
                .getTransactionCoordinatorBuilder()
                .isJta();
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "beforeCompletion" -> {
                if (!isMarkedForRollback()) {
                    writes.completing();
                }
                yield null;
            }
            case "afterCompletion" -> {
                writes.end(outcome(arguments == null ? null : arguments[0]));
                yield null;
            }
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> ManagerOutcome.class.getName();
        };
    }

    /** As after a flush that failed inside the commit, which no COMMIT follows. */
    private boolean isMarkedForRollback() {
        try {
            return coordinator.getTransactionDriverControl().getStatus() == TransactionStatus.MARKED_ROLLBACK;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private Outcome outcome(@Nullable Object status) {
        if (Integer.valueOf(STATUS_COMMITTED).equals(status)) {
            return Outcome.COMMITTED;
        }
        return Integer.valueOf(STATUS_ROLLED_BACK).equals(status) && writes.rollbackIsDefinite()
                ? Outcome.ROLLED_BACK
                : Outcome.UNKNOWN;
    }
}

package io.github.untaken.jpa.hibernate;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.hibernate.resource.transaction.internal.TransactionCoordinatorBuilderInitiator;
import org.hibernate.resource.transaction.spi.DdlTransactionIsolator;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.tool.schema.internal.exec.JdbcContext;

/**
 * Gives each session its {@link SessionStatements}, at the one call with which every session, stateless or not, tells
 * of itself while it is made: it asks for a transaction coordinator. A session that shares the connection of another
 * asks for none, but sends its statements by way of that one. A maker of the application's own is left alone.
 */
@SuppressWarnings("serial") // a service is Serializable by type; Hibernate never serializes one
record HeardSessions(TransactionCoordinatorBuilder standard)
        implements TransactionCoordinatorBuilder, ServiceRegistryAwareService {

    static void contributeTo(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(new Initiator());
    }

    static boolean areUsedBy(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().getService(TransactionCoordinatorBuilder.class) instanceof HeardSessions;
    }

    private static final class Initiator implements StandardServiceInitiator<TransactionCoordinatorBuilder> {
        @Override
        public TransactionCoordinatorBuilder initiateService(
                Map<String, Object> settings, ServiceRegistryImplementor registry) {
            TransactionCoordinatorBuilder chosen =
                    TransactionCoordinatorBuilderInitiator.INSTANCE.initiateService(settings, registry);
            return chosen.getClass().getName().startsWith("org.hibernate.") ? new HeardSessions(chosen) : chosen;
        }

        @Override
        public Class<TransactionCoordinatorBuilder> getServiceInitiated() {
            return TransactionCoordinatorBuilder.class;
        }
    }

    /** The one for JTA looks for its manager. */
    @Override
    public void injectServices(ServiceRegistryImplementor registry) {
        if (standard instanceof ServiceRegistryAwareService aware) {
            aware.injectServices(registry);
        }
    }

    @Override
    public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
        TransactionCoordinator coordinator = standard.buildTransactionCoordinator(owner, options);
        if (options instanceof SharedSessionContractImplementor session) {
            SessionStatements.listenTo(session, isJta());
        }
        return coordinator;
    }

    @Override
    public boolean isJta() {
        return standard.isJta();
    }

    @Override
    public PhysicalConnectionHandlingMode getDefaultConnectionHandlingMode() {
        return standard.getDefaultConnectionHandlingMode();
    }

    @Override
    public DdlTransactionIsolator buildDdlTransactionIsolator(JdbcContext jdbcContext) {
        return standard.buildDdlTransactionIsolator(jdbcContext);
    }
}

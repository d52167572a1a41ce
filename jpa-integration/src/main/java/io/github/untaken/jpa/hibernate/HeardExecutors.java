package io.github.untaken.jpa.hibernate;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.mutation.MutationExecutor;
import org.hibernate.engine.jdbc.mutation.internal.MutationExecutorServiceInitiator;
import org.hibernate.engine.jdbc.mutation.spi.BatchKeyAccess;
import org.hibernate.engine.jdbc.mutation.spi.MutationExecutorService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.model.MutationOperationGroup;

/**
 * Makes a {@link HeardExecutor} of what Hibernate executes for an entity or a collection that shares a table with
 * identifiers.
 */
@SuppressWarnings("serial") // a service is Serializable by type; Hibernate never serializes one
record HeardExecutors(MutationExecutorService standard) implements MutationExecutorService {

    static void contributeTo(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(new Initiator());
    }

    static boolean areUsedBy(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().getService(MutationExecutorService.class) instanceof HeardExecutors;
    }

    private static final class Initiator implements StandardServiceInitiator<MutationExecutorService> {
        @Override
        public MutationExecutorService initiateService(
                Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new HeardExecutors(MutationExecutorServiceInitiator.INSTANCE.initiateService(settings, registry));
        }

        @Override
        public Class<MutationExecutorService> getServiceInitiated() {
            return MutationExecutorService.class;
        }
    }

    @Override
    public MutationExecutor createExecutor(
            BatchKeyAccess batchKey, MutationOperationGroup group, SharedSessionContractImplementor session) {
        MutationExecutor executor = standard.createExecutor(batchKey, group, session);
        HandoverInspector inspector = HandoverInspector.installedIn(session.getFactory());
        if (inspector == null || !inspector.factory().touchesWatchedTables(group)) {
            return executor;
        }
        SessionWrites writes = inspector.factory().writesOf(session);
        return new HeardExecutor(executor, group, writes.pendingEvents());
    }
}

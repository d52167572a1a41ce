package io.github.untaken.jpa.hibernate;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.batch.spi.Batch;
import org.hibernate.engine.jdbc.mutation.JdbcValueBindings;
import org.hibernate.engine.jdbc.mutation.MutationExecutor;
import org.hibernate.engine.jdbc.mutation.OperationResultChecker;
import org.hibernate.engine.jdbc.mutation.TableInclusionChecker;
import org.hibernate.engine.jdbc.mutation.group.PreparedStatementDetails;
import org.hibernate.engine.jdbc.mutation.internal.MutationExecutorServiceInitiator;
import org.hibernate.engine.jdbc.mutation.spi.BatchKeyAccess;
import org.hibernate.engine.jdbc.mutation.spi.MutationExecutorService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.ValuesAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * Tells the writes of a session when Hibernate executes what it has built to write one entity or one collection, and of which one:
 * what is prepared meanwhile is Hibernate's own, and all else is not. Found through {@code META-INF/services}.
 */
@SuppressWarnings("serial") // a service is Serializable by type; Hibernate never serializes one
public final class WatchedExecutors implements ServiceContributor {

    /** For the service loader. */
    public WatchedExecutors() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        builder.addInitiator(new Initiator());
    }

    static boolean areUsedBy(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().getService(MutationExecutorService.class) instanceof Executors;
    }

    private static final class Initiator implements StandardServiceInitiator<MutationExecutorService> {
        @Override
        public MutationExecutorService initiateService(
                Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new Executors(MutationExecutorServiceInitiator.INSTANCE.initiateService(settings, registry));
        }

        @Override
        public Class<MutationExecutorService> getServiceInitiated() {
            return MutationExecutorService.class;
        }
    }

    private record Executors(MutationExecutorService standard) implements MutationExecutorService {
        @Override
        public MutationExecutor createExecutor(
                BatchKeyAccess batchKey, MutationOperationGroup group, SharedSessionContractImplementor session) {
            MutationExecutor executor = standard.createExecutor(batchKey, group, session);
            UnseenWriteInspector inspector = UnseenWriteInspector.installedIn(session.getFactory());
            return inspector != null && inspector.events().touchesWatchedTables(group)
                    ? new Watched(executor, group, inspector.events())
                    : executor;
        }
    }

    private record Watched(MutationExecutor executor, MutationOperationGroup group, EntityEvents events)
            implements MutationExecutor {
        @Override
        public JdbcValueBindings getJdbcValueBindings() {
            return executor.getJdbcValueBindings();
        }

        @Override
        public PreparedStatementDetails getPreparedStatementDetails(String tableName) {
            return executor.getPreparedStatementDetails(tableName);
        }

        @Override
        public @Nullable GeneratedValues execute(
                Object entity,
                ValuesAnalysis analysis,
                TableInclusionChecker inclusion,
                OperationResultChecker results,
                SharedSessionContractImplementor session) {
            return events.writesOf(session)
                    .pendingEvents()
                    .execute(group, () -> executor.execute(entity, analysis, inclusion, results, session));
        }

        @Override
        public @Nullable GeneratedValues execute(
                Object entity,
                ValuesAnalysis analysis,
                TableInclusionChecker inclusion,
                OperationResultChecker results,
                SharedSessionContractImplementor session,
                Batch.StaleStateMapper staleState) {
            return events.writesOf(session)
                    .pendingEvents()
                    .execute(group, () -> executor.execute(entity, analysis, inclusion, results, session, staleState));
        }

        @Override
        public void release() {
            executor.release();
        }
    }
}

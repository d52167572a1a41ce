package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.PendingEvents;
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
 * Hears when Hibernate executes what it has built to write one entity or one collection: what is prepared meanwhile is
 * Hibernate's own, and all else is not. Found through {@code META-INF/services}.
 */
@SuppressWarnings("serial") // a service is Serializable by type; Hibernate never serializes one
public final class HeardExecutors implements ServiceContributor {

    /** For the service loader. */
    public HeardExecutors() {}

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
            HandoverInspector inspector = HandoverInspector.installedIn(session.getFactory());
            if (inspector == null || !inspector.factory().touchesWatchedTables(group)) {
                return executor;
            }
            SessionWrites writes = inspector.factory().writesOf(session);
            return new Heard(executor, group, writes.pendingEvents());
        }
    }

    private record Heard(MutationExecutor executor, MutationOperationGroup group, PendingEvents events)
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
            return events.execute(group, () -> executor.execute(entity, analysis, inclusion, results, session));
        }

        @Override
        public @Nullable GeneratedValues execute(
                Object entity,
                ValuesAnalysis analysis,
                TableInclusionChecker inclusion,
                OperationResultChecker results,
                SharedSessionContractImplementor session,
                Batch.StaleStateMapper staleState) {
            return events.execute(
                    group, () -> executor.execute(entity, analysis, inclusion, results, session, staleState));
        }

        @Override
        public void release() {
            executor.release();
        }
    }
}

package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.PendingEvents;
import org.hibernate.engine.jdbc.batch.spi.Batch;
import org.hibernate.engine.jdbc.mutation.JdbcValueBindings;
import org.hibernate.engine.jdbc.mutation.MutationExecutor;
import org.hibernate.engine.jdbc.mutation.OperationResultChecker;
import org.hibernate.engine.jdbc.mutation.TableInclusionChecker;
import org.hibernate.engine.jdbc.mutation.group.PreparedStatementDetails;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.ValuesAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * Tells when Hibernate executes what it has built to write one entity or one collection: what is prepared meanwhile is
 * Hibernate's own, and all else is not.
 */
record HeardExecutor(MutationExecutor executor, MutationOperationGroup group, PendingEvents events)
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
        return events.execute(group, () -> executor.execute(entity, analysis, inclusion, results, session, staleState));
    }

    @Override
    public void release() {
        executor.release();
    }
}

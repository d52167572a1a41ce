package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.mutation.MutationExecutor;
import org.hibernate.engine.jdbc.mutation.spi.BatchKeyAccess;
import org.hibernate.engine.jdbc.mutation.spi.MutationExecutorService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.reactive.provider.LikeReactiveServices;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.model.MutationOperationGroup;
import org.junit.jupiter.api.Test;

/** Hibernate Reactive makes executors of its own, and fails at the first insert if it gets others. */
class ReactiveTest {

    @SuppressWarnings("serial")
    private static final class Executors implements MutationExecutorService {
        @Override
        public MutationExecutor createExecutor(
                BatchKeyAccess batch, MutationOperationGroup group, SharedSessionContractImplementor session) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Initiator implements StandardServiceInitiator<MutationExecutorService> {
        @Override
        public MutationExecutorService initiateService(
                Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new Executors();
        }

        @Override
        public Class<MutationExecutorService> getServiceInitiated() {
            return MutationExecutorService.class;
        }
    }

    @Test
    void itsServicesStayAsTheyAre() {
        StandardServiceRegistry services =
                new LikeReactiveServices().addInitiator(new Initiator()).build();
        try {
            assertThat(services.requireService(MutationExecutorService.class)).isInstanceOf(Executors.class);
            assertThat(services.requireService(TransactionCoordinatorBuilder.class)
                            .getClass()
                            .getName())
                    .startsWith("org.hibernate.");
        } finally {
            StandardServiceRegistryBuilder.destroy(services);
        }
    }
}

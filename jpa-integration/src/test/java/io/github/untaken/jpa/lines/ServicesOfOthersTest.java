package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.hibernate.orm.runtime.recording.LikeRecordableBootstrap;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.connections.internal.UserSuppliedConnectionProviderImpl;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.mutation.MutationExecutor;
import org.hibernate.engine.jdbc.mutation.spi.BatchKeyAccess;
import org.hibernate.engine.jdbc.mutation.spi.MutationExecutorService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.reactive.provider.LikeReactiveServices;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.model.MutationOperationGroup;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hibernate Reactive makes services of its own, and fails at the first insert if it gets others. Quarkus has them made while it builds the
 * application, without a data source, and puts them in the place of its own: an application did not start, for want of connections.
 */
class ServicesOfOthersTest {

    @SuppressWarnings("serial")
    private static final class Executors implements MutationExecutorService {
        @Override
        public MutationExecutor createExecutor(
                BatchKeyAccess batch, MutationOperationGroup group, SharedSessionContractImplementor session) {
            throw new UnsupportedOperationException();
        }
    }

    private record Made<S extends Service>(Class<S> role, S service) implements StandardServiceInitiator<S> {
        @Override
        public S initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return service;
        }

        @Override
        public Class<S> getServiceInitiated() {
            return role;
        }
    }

    static Stream<StandardServiceRegistryBuilder> builders() {
        return Stream.of(new LikeReactiveServices(), new LikeRecordableBootstrap());
    }

    @ParameterizedTest
    @MethodSource("builders")
    void stayAsTheyAre(StandardServiceRegistryBuilder builder) {
        MutationExecutorService executors = new Executors();
        ConnectionProvider connections = new UserSuppliedConnectionProviderImpl();
        StandardServiceRegistry services = builder.addInitiator(new Made<>(MutationExecutorService.class, executors))
                .addInitiator(new Made<>(ConnectionProvider.class, connections))
                .build();
        try {
            assertThat(services.requireService(MutationExecutorService.class)).isSameAs(executors);
            assertThat(services.requireService(ConnectionProvider.class)).isSameAs(connections);
            assertThat(services.requireService(TransactionCoordinatorBuilder.class)
                            .getClass()
                            .getName())
                    .startsWith("org.hibernate.");
        } finally {
            StandardServiceRegistryBuilder.destroy(services);
        }
    }
}

package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.hibernate.orm.runtime.recording.LikeRecordableBootstrap;
import java.sql.Connection;
import java.util.Map;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.junit.jupiter.api.Test;

/**
 * What is contributed to Quarkus is made while it builds the application, without a data source, and kept in place of its own: the
 * application did not start, for want of connections.
 */
class QuarkusTest {

    @SuppressWarnings("serial")
    private static final class OwnProvider implements ConnectionProvider {
        @Override
        public Connection getConnection() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void closeConnection(Connection connection) {}

        @Override
        public boolean supportsAggressiveRelease() {
            return true;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Initiator implements StandardServiceInitiator<ConnectionProvider> {
        @Override
        public ConnectionProvider initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new OwnProvider();
        }

        @Override
        public Class<ConnectionProvider> getServiceInitiated() {
            return ConnectionProvider.class;
        }
    }

    @Test
    void itsServicesStayAsTheyAre() {
        StandardServiceRegistry services =
                new LikeRecordableBootstrap().addInitiator(new Initiator()).build();
        try {
            assertThat(services.requireService(ConnectionProvider.class)).isInstanceOf(OwnProvider.class);
            assertThat(services.requireService(TransactionCoordinatorBuilder.class)
                            .getClass()
                            .getName())
                    .startsWith("org.hibernate.");
        } finally {
            StandardServiceRegistryBuilder.destroy(services);
        }
    }
}

package io.github.untaken.jpa.hibernate;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Hibernate's door to this integration, found through {@code META-INF/services} and loaded by every Hibernate there is: puts {@link
 * HeardConnections} and {@link OwnConnections} before the services of that kind. Names nothing that Hibernate 6.6 lacks.
 */
public final class AvailabilityServices implements ServiceContributor {

    /** For the service loader. */
    public AvailabilityServices() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        if (HibernateLine.isReactive(builder)) {
            return;
        }
        HeardConnections.contributeTo(builder);
        if (HibernateLine.isHeard()) {
            HeardSessions.contributeTo(builder);
            HeardExecutors.contributeTo(builder);
        } else {
            OwnConnections.contributeTo(builder);
        }
    }
}

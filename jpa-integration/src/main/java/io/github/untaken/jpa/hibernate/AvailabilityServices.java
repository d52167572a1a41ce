package io.github.untaken.jpa.hibernate;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Puts {@link HeardSessions} and {@link HeardExecutors} around the services of that kind. Found through {@code
 * META-INF/services}, and loaded by every Hibernate there is: names nothing that Hibernate 6 lacks.
 */
public final class AvailabilityServices implements ServiceContributor {

    /** For the service loader. */
    public AvailabilityServices() {}

    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        if (HibernateLine.isHeard() && !HibernateLine.isReactive(builder)) {
            HeardSessions.contributeTo(builder);
            HeardExecutors.contributeTo(builder);
        }
    }
}

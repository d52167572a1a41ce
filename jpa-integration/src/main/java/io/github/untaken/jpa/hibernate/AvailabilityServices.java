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

    /** Where a Hibernate has no such services, it is left as it is, and {@link Hearing} says so. */
    @Override
    public void contribute(StandardServiceRegistryBuilder builder) {
        if (HibernateIdentifiers.isReactive(builder) || isOfQuarkus(builder)) {
            return;
        }
        try {
            HeardConnections.contributeTo(builder);
            OwnConnections.contributeTo(builder);
        } catch (LinkageError e) {
            // another Hibernate than those from 6.6 on
        }
    }

    /**
     * Quarkus asks while it builds the application, without a data source, keeps what initiators made then, and puts it in the place of
     * its own services at the start: what it writes is not heard, and the database answers.
     */
    private static boolean isOfQuarkus(StandardServiceRegistryBuilder builder) {
        return builder.getClass().getName().startsWith("io.quarkus.");
    }
}

package io.github.untaken.jpa.hibernate;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Hibernate's door to this integration, found through {@code META-INF/services} and loaded by every Hibernate present. Puts
 * {@link HeardConnections} and {@link OwnConnections} before Hibernate's own services. Names nothing that Hibernate 6.6 lacks.
 */
public final class AvailabilityServices implements ServiceContributor {

    /** For the service loader. */
    public AvailabilityServices() {}

    /** A Hibernate without such services is left as it is, and {@link Hearing} says so. */
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
     * Quarkus calls this while it builds the application, without a data source. It keeps what the initiators made then, and puts that in
     * place of its own services at the start. So what it writes is not heard, and the database answers.
     */
    private static boolean isOfQuarkus(StandardServiceRegistryBuilder builder) {
        return builder.getClass().getName().startsWith("io.quarkus.");
    }
}

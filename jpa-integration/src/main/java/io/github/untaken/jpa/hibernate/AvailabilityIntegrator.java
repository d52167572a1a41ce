package io.github.untaken.jpa.hibernate;

import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Hibernate's door to this integration, found through {@code META-INF/services}. What it installs belongs to the
 * session factory and goes with it; {@link HibernateIdentifiers} finds it there. Names nothing that Hibernate 6 lacks.
 */
public final class AvailabilityIntegrator implements Integrator {

    /** For the service loader. */
    public AvailabilityIntegrator() {}

    @Override
    public void integrate(
            Metadata metadata, BootstrapContext bootstrapContext, SessionFactoryImplementor sessionFactory) {
        if (HibernateLine.isReactive(sessionFactory)) {
            return;
        }
        boolean marked = MarkedClasses.areIn(metadata);
        if (HibernateLine.isHeard()) {
            HeardFactory.install(sessionFactory, marked);
        } else if (marked) {
            HibernateLine.tellWhatIsMissing();
        }
    }

    /** Hibernate 6 asks for it. */
    @Override
    public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry serviceRegistry) {}
}

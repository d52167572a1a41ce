package io.github.untaken.jpa.hibernate;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.integrator.spi.Integrator;

/**
 * Hibernate's door to this integration, found through {@code META-INF/services}. The listeners it installs belong to
 * the session factory and go with it; {@link HibernateIdentifiers} finds them there.
 */
public final class AvailabilityIntegrator implements Integrator {

    @Override
    public void integrate(
            Metadata metadata, BootstrapContext bootstrapContext, SessionFactoryImplementor sessionFactory) {
        HeardFactory heard = new HeardFactory(sessionFactory);
        EventListenerRegistry registry = sessionFactory.getEventEngine().getListenerRegistry();
        new EntityEvents(heard).install(registry);
        new CollectionEvents(heard).install(registry);
        HandoverInspector.install(heard);
        sessionFactory.addObserver(new SessionFactoryObserver() {
            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                heard.mappings();
            }
        });
    }
}

package io.github.untaken.jpa.hibernate;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.junit.jupiter.api.Test;

/** A Hibernate that this library does not know loads it all the same, as soon as the jar is there. */
class AvailabilityIntegratorTest {

    /** Without it each factory of an application on Hibernate 5 fails with an AbstractMethodError. */
    @Test
    void hasTheMethodThatHibernate5Calls() {
        assertThatCode(() -> AvailabilityIntegrator.class.getDeclaredMethod(
                        "integrate",
                        Metadata.class,
                        SessionFactoryImplementor.class,
                        SessionFactoryServiceRegistry.class))
                .doesNotThrowAnyException();
    }
}

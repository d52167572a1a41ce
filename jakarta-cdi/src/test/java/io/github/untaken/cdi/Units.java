package io.github.untaken.cdi;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.time.Duration;
import java.util.UUID;

/** The persistence units of an application: one with a marked entity, and one without. */
@ApplicationScoped
class Units {
    /** What the checker said while the database was being closed. */
    static volatile Status lastWord;

    @Inject
    Instance<AvailabilityChecker> checker;

    @Produces
    @ApplicationScoped
    @Named("accounts")
    EntityManagerFactory accounts() {
        return factory("accounts", Account.class);
    }

    @Produces
    @ApplicationScoped
    @Named("notes")
    EntityManagerFactory notes() {
        return factory("notes", Note.class);
    }

    /** A slow read is no outage here. */
    static void patience(@Observes AvailabilityCheckerBuilder builder) {
        builder.recheckTimeout(Duration.ofSeconds(30));
    }

    void close(@Disposes @Any EntityManagerFactory factory) {
        lastWord = checker.get().check(IdentifierKind.USERNAME, "anybody").status();
        factory.close();
    }

    static EntityManagerFactory factory(String unit, Class<?> entity) {
        return new PersistenceConfiguration(unit)
                .managedClass(entity)
                .property("jakarta.persistence.jdbc.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";USER=sa;PASSWORD=")
                .property("jakarta.persistence.schema-generation.database.action", "create")
                .createEntityManagerFactory();
    }
}

package outside;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The beans of the documentation with those of the jars, in Weld SE; only the factory is made as no server makes it. */
class NamesTest {

    @Test
    void aNameIsFreeUntilSomebodyHasIt() {
        try (SeContainer container = SeContainerInitializer.newInstance()
                .addBeanClasses(UnitsOfSe.class, Names.class, CheckerSettings.class, Form.class)
                .initialize()) {
            AvailabilityChecker checker = container.select(AvailabilityChecker.class).get();
            long begun = System.nanoTime();
            while (checker.state(IdentifierKind.USERNAME) != KindState.READY) {
                assertTrue(System.nanoTime() - begun < Duration.ofMinutes(1).toNanos(), "not ready in a minute");
                Thread.onSpinWait();
            }
            Form form = container.select(Form.class).get();
            assertTrue(form.accepts("Alice"));

            container
                    .select(EntityManagerFactory.class)
                    .get()
                    .runInTransaction(entities -> entities.persist(new Account("alice")));

            assertFalse(form.accepts("Alice"));
        }
    }

    @ApplicationScoped
    static class Form {
        private final Names names;

        @Inject
        Form(Names names) {
            this.names = names;
        }

        Form() {
            this(null);
        }

        @ActivateRequestContext
        boolean accepts(String name) {
            return names.mayRegister(name);
        }
    }

    @ApplicationScoped
    static class UnitsOfSe {
        @Produces
        @ApplicationScoped
        EntityManagerFactory factory() {
            return Persistence.createEntityManagerFactory("app");
        }

        void close(@Disposes EntityManagerFactory factory) {
            factory.close();
        }
    }
}

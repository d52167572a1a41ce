package io.github.untaken.cdi;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.spi.IdentifierSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link AvailabilityChecker} of a CDI application, found by the container. Applications inject the checker:
 *
 * <pre>{@code
 * @Inject AvailabilityChecker checker;
 * }</pre>
 *
 * <p>Its sources are all beans of type {@link IdentifierSource}. With {@code untaken-jpa} each bean of type {@code
 * EntityManagerFactory}, with any qualifier, is a source too, if its entities have an attribute marked with {@link
 * io.github.untaken.RegisteredIdentifier} and none of those beans is its source already. Without any source and without a store
 * that an observer added, the application does not start.
 *
 * <p>To change a setting, or to add a store, observe the builder. Observers are called once, after the sources were added:
 *
 * <pre>{@code
 * void settings(@Observes AvailabilityCheckerBuilder builder) {
 *     builder.rescanInterval(Duration.ofMinutes(30));
 * }
 * }</pre>
 *
 * <p>A producer of the application takes the place of this one if it is an {@code @Alternative} with a {@code @Priority}.
 *
 * <p>The checker is made while the application starts, which does not wait for the first scan. If the server does not offer its
 * persistence units by then, it is made when it is first asked for. The checker made here is closed before application-scoped
 * beans are destroyed.
 * It is a {@code @Singleton}: a final class cannot have the client proxy that the other scopes need. The servlet filter finds it,
 * whichever of the two starts first. Thread-safe.
 */
@ApplicationScoped
public class CheckerProducer {
    // Neither final nor, like its product, a singleton: no container looks for those in an archive of annotated beans.

    private static final boolean HAS_JPA =
            isThere("io.github.untaken.jpa.JpaIdentifiers") && isThere("jakarta.persistence.EntityManagerFactory");
    private static final String WHERE_SOURCES_COME_FROM = HAS_JPA
            ? ". CDI knows no bean of type IdentifierSource, and no EntityManagerFactory with such entities;"
                    + " before Jakarta EE 11 a persistence unit is not a bean, so produce it: @Produces"
                    + " @PersistenceUnit EntityManagerFactory factory"
            : ". CDI knows no bean of type IdentifierSource; for entities add untaken-jpa";

    @Inject
    @Any
    Instance<Object> beans;

    @Inject
    Event<AvailabilityCheckerBuilder> settings;

    private volatile @Nullable AvailabilityChecker made;

    /** For the container. */
    CheckerProducer() {}

    /** @throws IllegalStateException if there is nothing to check against, or a source was refused; the message says which */
    @Produces
    @Singleton
    AvailabilityChecker checker() {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder();
        List<IdentifierSource> sources = sources();
        sources.forEach(builder::source);
        settings.fire(builder);
        AvailabilityChecker checker;
        try {
            checker = builder.build();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "The availability checker was refused: " + e.getMessage()
                            + (sources.isEmpty() ? WHERE_SOURCES_COME_FROM : ""),
                    e);
        }
        made = checker;
        return checker;
    }

    private List<IdentifierSource> sources() {
        List<IdentifierSource> own =
                beans.select(IdentifierSource.class).stream().toList();
        return HAS_JPA ? MarkedFactories.addedTo(own, beans) : own;
    }

    /**
     * Makes the checker; nothing else asks for it before the first request does. Payara notifies the beans of a jar of the start
     * before it has bound the names of the application. The servlet filter then makes it, or whoever is given it first.
     */
    void start(
            @Observes @Initialized(ApplicationScoped.class) Object application, Instance<AvailabilityChecker> checker) {
        if (!HAS_JPA || MarkedFactories.canBeHad(beans)) {
            checker.get();
        }
    }

    /** A disposer would be called too late: factories are application-scoped, and close before singletons do. */
    void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object application) {
        AvailabilityChecker checker = made;
        if (checker != null) {
            checker.close();
        }
    }

    private static boolean isThere(String type) {
        try {
            Class.forName(type, false, CheckerProducer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
